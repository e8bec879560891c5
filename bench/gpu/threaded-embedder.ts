import { Worker } from 'node:worker_threads';
import type { Embedder, EmbeddingRole } from '../../src/contracts/embedder.ts';
import { type ErrorCode, QuarryError } from '../../src/core/errors.ts';
import { type DriverSettings, openReference } from './open-reference.ts';

/** Texts for a thread. */
export interface ThreadTask {
  readonly number: number;
  readonly texts: readonly string[];
  readonly as: EmbeddingRole;
}

/** What a thread sends back: rows in one stretch, handed over, or why there are none. */
export type ThreadAnswer =
  | { readonly number: number; readonly values: Float32Array<ArrayBuffer>; readonly width: number }
  | {
      readonly number: number;
      readonly failure: { readonly code: ErrorCode; readonly message: string; readonly remedy: string };
    };

interface Thread {
  readonly worker: Worker;
  calls: number;
}

/** The reference embedder with its calls spread over threads: what the client could do if it used more than one core. */
export async function openThreaded(settings: DriverSettings, count: number): Promise<Embedder> {
  const own = await openReference(settings);
  const waiting = new Map<number, PromiseWithResolvers<Float32Array[]>>();
  const threads: Thread[] = Array.from({ length: count }, () => {
    const file = new URL('./embedder-thread.ts', import.meta.url);
    const thread: Thread = { worker: new Worker(file, { workerData: settings }), calls: 0 };
    thread.worker.on('message', (answer: ThreadAnswer) => {
      thread.calls -= 1;
      const call = waiting.get(answer.number);
      waiting.delete(answer.number);
      if ('values' in answer) call?.resolve(rowsOf(answer.values, answer.width));
      else call?.reject(new QuarryError(answer.failure.code, answer.failure.message, answer.failure.remedy));
    });
    return thread;
  });
  let number = 0;
  const embed: Embedder['embed'] = (texts, { as }) => {
    const call = Promise.withResolvers<Float32Array[]>();
    const thread = threads.reduce((least, other) => (other.calls < least.calls ? other : least));
    thread.calls += 1;
    number += 1;
    waiting.set(number, call);
    thread.worker.postMessage({ number, texts, as } satisfies ThreadTask);
    return call.promise;
  };
  const close = async (): Promise<void> => {
    await Promise.all([own.close(), ...threads.map(({ worker }) => worker.terminate())]);
  };
  return Object.create(own, { embed: { value: embed }, close: { value: close } });
}

function rowsOf(values: Float32Array, width: number): Float32Array[] {
  const rows: Float32Array[] = [];
  for (let at = 0; at < values.length; at += width) rows.push(values.subarray(at, at + width));
  return rows;
}
