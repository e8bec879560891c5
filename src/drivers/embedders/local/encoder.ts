import { QuarryError } from '../../../core/errors.ts';
import type { Hardware } from '../../../models/inference/device.ts';
import { type LoadedModel, loadModel } from '../../../models/inference/session.ts';
import type { InstalledModel, ModelCard } from '../../../models/model-card.ts';
import { readModelFile } from '../../../models/model-files.ts';
import { bundledTokenizer, isCutAsBundled } from '../../../models/tokenizers/bundled.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { combineWindows, windowsOf } from '../windows.ts';

/** A loaded model: text to pieces, pieces to one vector and to one for each of them. */
export interface Encoder {
  readonly tokenizer: TextTokenizer;
  encodeWindow(pieces: readonly number[]): Promise<EncodedWindow>;
}

/** What the model makes of one window of pieces; nothing of it is of unit length yet. */
export interface EncodedWindow {
  readonly vector: Float32Array;
  /** The vectors of the pieces, one after the other; absent where the model gives one for all of them. */
  readonly pieces?: Float32Array;
}

/** What the model makes of a text of any length. */
export interface EncodedText {
  /** Of unit length. */
  readonly vector: Float32Array;
  /**
   * Vectors of the pieces, not yet of unit length, a block for each window; where windows overlap a piece has one from
   * each. Absent where the model gives one vector for all of them.
   */
  readonly pieces?: readonly Float32Array[];
}

/** Encodes a text; what is longer than a window is seen in several. */
export async function encodeText(encoder: Encoder, text: string, windowSize: number): Promise<EncodedText> {
  const windows = windowsOf(encoder.tokenizer.encode(text), windowSize);
  const encoded: EncodedWindow[] = [];
  for (const window of windows) encoded.push(await encoder.encodeWindow(window));
  const vector = combineWindows(
    encoded.map((window) => window.vector),
    windows.map((window) => window.length + 2),
  );
  const pieces = encoded.flatMap((window) => window.pieces ?? []);
  return pieces.length === 0 ? { vector } : { vector, pieces };
}

/** Loads the tokenizer alone: enough to measure text, and a hundred times lighter than the model. */
export async function loadTokenizer(model: InstalledModel): Promise<TextTokenizer> {
  // What is known by its hash need not be looked at, and the schemas for that need not be loaded.
  if (isCutAsBundled(model.card)) return bundledTokenizer();
  const bytes = await readModelFile(model, 'tokenizer.json');
  const { openTokenizer } = await import('../../../models/tokenizers/open-tokenizer.ts');
  return openTokenizer(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Loads the model with its tokenizer. */
export async function loadEncoder(
  model: InstalledModel,
  tokenizer: TextTokenizer,
  hardware: Hardware,
): Promise<Encoder> {
  const loaded = await loadModel(model, hardware, { name: 'The local embedder', table: 'embedder' });
  const { card } = model;
  const output = outputOf(loaded, card);
  // One text at a time: int8 weights scale activations over the whole batch, so that in a batch a vector would
  // depend on its neighbours; and on a CPU larger calls are not faster.
  const run = async (pieces: readonly number[]): Promise<Float32Array> => {
    const { values } = await loaded.run([tokenizer.startId, ...pieces, tokenizer.endId], [], output.name);
    return values;
  };
  return {
    tokenizer,
    async encodeWindow(pieces) {
      const values = await run(pieces);
      if (output.isPooled) return { vector: values };
      return {
        vector:
          card.pooling === 'first'
            ? values.slice(0, card.dimensions)
            : meanOfRows(values, pieces.length + 2, card.dimensions),
        pieces: values.subarray(card.dimensions, (pieces.length + 1) * card.dimensions),
      };
    },
  };
}

/** The output to read: one that is pooled already, or the vectors of all tokens. */
function outputOf({ outputNames }: LoadedModel, card: ModelCard): { name: string; isPooled: boolean } {
  const tokens = ['last_hidden_state', 'token_embeddings'].find((name) => outputNames.includes(name));
  if (tokens) return { name: tokens, isPooled: false };
  if (outputNames.includes('sentence_embedding')) return { name: 'sentence_embedding', isPooled: true };
  throw new QuarryError(
    'model-not-found',
    `The model ${card.name} has the outputs ${outputNames.join(', ')}, and none of them is known.`,
    'Use a model with the output last_hidden_state, token_embeddings or sentence_embedding.',
  );
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

/** Why nothing can be said of single tokens. */
export function noTokenVectors({ name }: ModelCard): QuarryError {
  return new QuarryError(
    'model-failed',
    `The model ${name} gives one vector for a text, and none for its tokens.`,
    'Use a model with the output last_hidden_state or token_embeddings, or another reranker.',
  );
}
