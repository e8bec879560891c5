import type { InferenceSession, Tensor } from 'onnxruntime-common';
import { messageOf, QuarryError } from '../../core/errors.ts';
import type { InstalledModel } from '../model-card.ts';
import { readModelFile } from '../model-files.ts';
import type { Hardware } from './device.ts';
import { loadRuntime } from './runtime.ts';

/** Who loads a model, as far as errors speak of it. */
export interface ModelUser {
  /** `The local embedder`. */
  readonly name: string;
  /** The table of the settings that names the model. */
  readonly table: 'embedder' | 'reranker';
}

/** A loaded model: numbers of tokens in, tensors out. */
export interface LoadedModel {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  /** Runs one row of tokens; `types` says which of two texts each belongs to. Gives the named output. */
  run(ids: readonly number[], types: readonly number[], output: string): Promise<ModelOutput>;
}

/** One output of a model. */
export interface ModelOutput {
  readonly values: Float32Array;
  readonly shape: readonly number[];
}

/** Loads the verified weights into onnxruntime. */
export async function loadModel(
  model: InstalledModel,
  hardware: Hardware,
  user: ModelUser,
): Promise<LoadedModel> {
  const [runtime, weights] = await Promise.all([
    loadRuntime(user.name, hardware.device),
    readModelFile(model, 'model.onnx'),
  ]);
  // The error says what went wrong; the runtime's own log would land in the user's terminal.
  runtime.env.logLevel = 'fatal';
  const session = await startSession(runtime.InferenceSession, weights, hardware, user);
  release(weights);
  return {
    inputNames: session.inputNames,
    outputNames: session.outputNames,
    async run(ids, types, output) {
      const answer = await session.run(feeds(runtime.Tensor, ids, types, session.inputNames), [output]);
      const tensor = answer[output];
      return { values: tensor?.data as Float32Array, shape: tensor?.dims ?? [] };
    },
  };
}

async function startSession(
  Session: typeof InferenceSession,
  weights: Uint8Array,
  { device, threads }: Hardware,
  { table }: ModelUser,
): Promise<InferenceSession> {
  try {
    return await Session.create(weights, {
      executionProviders: device === 'cpu' ? ['cpu'] : [device, 'cpu'],
      intraOpNumThreads: threads,
      graphOptimizationLevel: 'all',
      // A thread that spins while it waits takes time from other programs on this machine.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (cause) {
    if (device === 'cpu') {
      throw new QuarryError(
        'model-not-found',
        `The inference runtime cannot load the model: ${firstLine(cause)}.`,
        'Use a model in ONNX format that this runtime knows, or remove and add it again.',
        { cause },
      );
    }
    throw new QuarryError(
      'requirement-missing',
      `The inference runtime cannot use the device "${device}" here: ${firstLine(cause)}.`,
      `Set ${table}.device to cpu, or install a build of onnxruntime-node with that device.`,
      { cause },
    );
  }
}

/** Gives memory back that the collector would come to late: the runtime has made its own copy. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

function feeds(
  TensorOf: typeof Tensor,
  ids: readonly number[],
  types: readonly number[],
  names: readonly string[],
): InferenceSession.FeedsType {
  const shape = [1, ids.length];
  const tensor = (data: BigInt64Array) => new TensorOf('int64', data, shape);
  const inputs: Record<string, () => Tensor> = {
    input_ids: () => tensor(BigInt64Array.from(ids, BigInt)),
    attention_mask: () => tensor(new BigInt64Array(ids.length).fill(1n)),
    token_type_ids: () => tensor(BigInt64Array.from(ids, (_, index) => BigInt(types[index] ?? 0))),
    position_ids: () => tensor(BigInt64Array.from(ids, (_, index) => BigInt(index))),
  };
  return Object.fromEntries(names.flatMap((name) => (inputs[name] ? [[name, inputs[name]()]] : [])));
}

function firstLine(thrown: unknown): string {
  return (messageOf(thrown).split('\n')[0] ?? '').replace(/\.$/, '');
}
