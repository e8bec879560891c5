import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { importOptional } from '../../../platform/import-optional.ts';
import type { ModelCard } from '../../models/model-card.ts';
import { type InstalledModel, readModelFile } from '../../models/model-files.ts';
import { openTokenizer, type TextTokenizer } from '../../tokenizers/open-tokenizer.ts';
import { combineWindows, windowsOf } from '../windows.ts';
import type { Device } from './device.ts';

/** A loaded model: text to pieces, pieces to one vector. */
export interface Encoder {
  readonly tokenizer: TextTokenizer;
  /** The vector of one window of pieces; not yet of unit length. */
  encodeWindow(pieces: readonly number[]): Promise<Float32Array>;
}

/** What the arithmetic runs on. */
export interface Hardware {
  readonly device: Device;
  /** Threads inside one call. */
  readonly threads: number;
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
export async function loadTokenizer(model: InstalledModel): Promise<TextTokenizer> {
  const bytes = await readModelFile(model, 'tokenizer.json');
  return openTokenizer(JSON.parse(new TextDecoder().decode(bytes)));
}

/** Loads the verified weights into onnxruntime. */
export async function loadEncoder(
  model: InstalledModel,
  tokenizer: TextTokenizer,
  hardware: Hardware,
): Promise<Encoder> {
  const [runtime, weights] = await Promise.all([
    importOptional(
      'onnxruntime-node',
      'The local embedder',
      () => import('onnxruntime-node'),
      'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node',
    ),
    readModelFile(model, 'model.onnx'),
  ]);
  // What goes wrong is told by the error; the runtime's own log would land in the user's terminal.
  runtime.env.logLevel = 'fatal';
  const session = await startSession(runtime.InferenceSession, weights, hardware);
  const output = outputOf(session, model.card);
  return {
    tokenizer,
    // One text at a time: int8 weights scale activations over the whole batch, so that in a batch a vector would
    // depend on its neighbours; and on a CPU larger calls are not faster.
    async encodeWindow(pieces) {
      const ids = [tokenizer.startId, ...pieces, tokenizer.endId];
      const answer = await session.run(feeds(runtime.Tensor, ids, session.inputNames), [output.name]);
      const data = answer[output.name]?.data as Float32Array;
      if (output.isPooled) return data;
      return model.card.pooling === 'first'
        ? data.slice(0, model.card.dimensions)
        : meanOfRows(data, ids.length, model.card.dimensions);
    },
  };
}

async function startSession(
  Session: typeof InferenceSession,
  weights: Uint8Array,
  { device, threads }: Hardware,
): Promise<InferenceSession> {
  try {
    return await Session.create(weights, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: threads,
      graphOptimizationLevel: 'all',
      // A thread that spins while it waits takes the time of whoever else works on this machine.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (cause) {
    if (device === 'cpu') {
      throw new QuarryError(
        'model-corrupt',
        `The inference runtime cannot load the model: ${firstLine(cause)}.`,
        'Use a model in ONNX format that this runtime knows, or remove and add it again.',
        { cause },
      );
    }
    throw new QuarryError(
      'device-unavailable',
      `The inference runtime cannot use the device "${device}" here: ${firstLine(cause)}.`,
      'Set embedder.device to cpu, or install a build of onnxruntime-node with that device.',
      { cause },
    );
  }
}

/** The output to read: one that is pooled already, or the vectors of all tokens. */
function outputOf(session: InferenceSession, card: ModelCard): { name: string; isPooled: boolean } {
  const { outputNames } = session;
  const tokens = ['last_hidden_state', 'token_embeddings'].find((name) => outputNames.includes(name));
  if (tokens) return { name: tokens, isPooled: false };
  if (outputNames.includes('sentence_embedding')) return { name: 'sentence_embedding', isPooled: true };
  throw new QuarryError(
    'model-corrupt',
    `The model ${card.name} has the outputs ${outputNames.join(', ')}, and none of them is known.`,
    'Use a model with the output last_hidden_state, token_embeddings or sentence_embedding.',
  );
}

function feeds(
  TensorOf: typeof Tensor,
  ids: readonly number[],
  names: readonly string[],
): InferenceSession.FeedsType {
  const shape = [1, ids.length];
  const tensor = (data: BigInt64Array) => new TensorOf('int64', data, shape);
  const inputs: Record<string, () => Tensor> = {
    input_ids: () => tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: () => tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: () => tensor(new BigInt64Array(ids.length)),
    position_ids: () => tensor(BigInt64Array.from(ids, (_, index) => BigInt(index))),
  };
  return Object.fromEntries(names.flatMap((name) => (inputs[name] ? [[name, inputs[name]()]] : [])));
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

function firstLine(thrown: unknown): string {
  return (messageOf(thrown).split('\n')[0] ?? '').replace(/\.$/, '');
}
