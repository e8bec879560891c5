import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { importOptional } from '../../../platform/import-optional.ts';
import { type ModelCard, readModelFile } from './model-files.ts';
import { combineWindows, windowsOf } from './windows.ts';
import { createWordPiece, type TokenizerFile, type WordPiece } from './wordpiece.ts';

/** A loaded model: text to pieces, pieces to one vector. */
export interface Encoder {
  readonly tokenizer: WordPiece;
  /** The mean of the model's token vectors over one window of pieces; not yet of unit length. */
  encodeWindow(pieces: readonly number[]): Promise<Float32Array>;
}

/** The unit vector of a text of any length; what is longer than a window is seen in several. */
export async function embedText(encoder: Encoder, text: string, windowSize: number): Promise<Float32Array> {
  const windows = windowsOf(encoder.tokenizer.encode(text), windowSize);
  const vectors: Float32Array[] = [];
  for (const window of windows) vectors.push(await encoder.encodeWindow(window));
  return combineWindows(
    vectors,
    windows.map((window) => window.length + 2),
  );
}

/** Loads the tokenizer alone: enough to measure text, and a hundred times lighter than the model. */
export async function loadTokenizer(card: ModelCard, folder: string): Promise<WordPiece> {
  const bytes = await readModelFile(card, 'tokenizer.json', folder);
  return createWordPiece(JSON.parse(bytes.toString('utf8')) as TokenizerFile);
}

/** Loads the verified weights into onnxruntime. */
export async function loadEncoder(
  card: ModelCard,
  folder: string,
  tokenizer: WordPiece,
  threads: number,
): Promise<Encoder> {
  const [runtime, weights] = await Promise.all([
    importOptional(
      'onnxruntime-node',
      'The local embedder',
      () => import('onnxruntime-node'),
      'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node',
    ),
    readModelFile(card, 'model.onnx', folder),
  ]);
  const session = await runtime.InferenceSession.create(weights, {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
  });
  return {
    tokenizer,
    // One text at a time: the int8 weights scale activations over the whole batch, so that in a batch a vector
    // would depend on its neighbours.
    async encodeWindow(pieces) {
      const ids = [tokenizer.startId, ...pieces, tokenizer.endId];
      const output = await session.run(feeds(runtime.Tensor, ids));
      return meanOfRows(output.last_hidden_state?.data as Float32Array, ids.length, card.dimensions);
    },
  };
}

function feeds(TensorOf: typeof Tensor, ids: readonly number[]): InferenceSession.FeedsType {
  const shape = [1, ids.length];
  const tensor = (data: BigInt64Array) => new TensorOf('int64', data, shape);
  return {
    input_ids: tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(ids.length)),
  };
}

function meanOfRows(data: Float32Array, rows: number, columns: number): Float32Array {
  const mean = new Float32Array(columns);
  for (let row = 0; row < rows; row += 1) {
    const offset = row * columns;
    for (let column = 0; column < columns; column += 1) {
      mean[column] = (mean[column] as number) + (data[offset + column] as number);
    }
  }
  for (let column = 0; column < columns; column += 1) mean[column] = (mean[column] as number) / rows;
  return mean;
}
