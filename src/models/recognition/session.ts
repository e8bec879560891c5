import type { InferenceSession } from 'onnxruntime-common';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { type BusyFlag, whileBusy } from '../inference/busy-flag.ts';
import { loadRuntime } from '../inference/runtime.ts';

/** A model that takes one picture as numbers and gives numbers. */
export interface PictureModel {
  run(values: Float32Array, shape: readonly number[]): Promise<ModelNumbers>;
}

/** What such a model gives. */
export interface ModelNumbers {
  readonly values: Float32Array;
  readonly shape: readonly number[];
}

/** Loads weights that were checked before. */
export async function openPictureModel(
  weights: Uint8Array,
  threads: number,
  flag: BusyFlag | undefined,
): Promise<PictureModel> {
  const runtime = await loadRuntime('Reading pictures');
  // The error says what went wrong; the runtime's own log would land in the user's terminal.
  runtime.env.logLevel = 'fatal';
  const session = await runtime.InferenceSession.create(weights, {
    executionProviders: ['cpu'],
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
    // Pictures come in all sizes: what was planned for one would be kept for each.
    enableMemPattern: false,
    enableCpuMemArena: false,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }).catch((cause: unknown): Promise<InferenceSession> => {
    throw new QuarryError(
      'model-not-found',
      `The inference runtime cannot load a model of the recogniser: ${messageOf(cause).split('\n')[0]}.`,
      'Remove the recogniser and add it again: quarry model list',
      { cause },
    );
  });
  const [input = '', output = ''] = [session.inputNames[0], session.outputNames[0]];
  return {
    async run(values, shape) {
      const feeds = { [input]: new runtime.Tensor('float32', values, shape) };
      const answer = await whileBusy(flag, () => session.run(feeds, [output]));
      const tensor = answer[output];
      return { values: tensor?.data as Float32Array, shape: tensor?.dims ?? [] };
    },
  };
}
