import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { interrupted, messageOf, QuarryError } from '../../../core/errors.ts';
import { createBusyFlag, waitUntilIdle } from './busy-flag.ts';
import type { EncoderThreadData, FromThread, ToThread } from './encoder-protocol.ts';

/** One copy of the model as the process sees it: texts go out to its thread, vectors come back. */
export interface EncoderClient {
  /** Calls that it has not answered yet. */
  readonly waiting: number;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
}

interface Waiting {
  resolve(vectors: Float32Array[]): void;
  reject(error: QuarryError): void;
}

/** Starts a thread with the model; `onEnd` is called once when it can no longer be used. */
export function startEncoder(data: Omit<EncoderThreadData, 'flag'>, onEnd: () => void): EncoderClient {
  const flag = createBusyFlag();
  const waitForCall = (): void => waitUntilIdle(flag);
  process.once('exit', waitForCall);
  return connect({ ...data, flag }, () => {
    process.off('exit', waitForCall);
    onEnd();
  });
}

function connect(data: EncoderThreadData, onEnd: () => void): EncoderClient {
  // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
  const file = new URL(`./encoder-thread${extname(import.meta.url)}`, import.meta.url);
  // Flags meant for the main program (`--input-type`, `--eval`) would keep the thread from starting.
  // When it starts, the runtime matches the command line with a pattern that recurses once for each character: a
  // long question overflows an ordinary stack. The size is reserved, not used.
  const resourceLimits = { stackSizeMb: 256 };
  const worker = new Worker(file, { workerData: data, execArgv: [], resourceLimits });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;

  const settle = (id: number): Waiting | undefined => {
    const request = waiting.get(id);
    waiting.delete(id);
    // An idle model must not keep the process alive.
    if (waiting.size === 0) worker.unref();
    return request;
  };
  const fail = (error: QuarryError): void => {
    onEnd();
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  };
  worker.unref();
  worker.on('message', (message: FromThread) => {
    const request = settle(message.id);
    if (message.type === 'vectors') request?.resolve(message.vectors);
    else if (message.type === 'cancelled') request?.reject(interrupted());
    else request?.reject(new QuarryError(message.code, message.message, message.remedy));
    // A failed load is not remembered: the user may mend the cause and try again.
    if (message.type === 'failure') {
      onEnd();
      if (waiting.size === 0) void worker.terminate();
    }
  });
  worker.on('error', (cause) => fail(crashed(messageOf(cause))));
  worker.on('exit', (code) => fail(crashed(`it ended with code ${code}`)));

  return {
    get waiting() {
      return waiting.size;
    },
    embed(texts, signal) {
      if (signal?.aborted) return Promise.reject(interrupted(signal.reason));
      lastId += 1;
      const id = lastId;
      // The thread answers once the text in hand is done: until then the model is not free.
      const cancel = (): void => worker.postMessage({ type: 'cancel', id } satisfies ToThread);
      signal?.addEventListener('abort', cancel, { once: true });
      const answer = new Promise<Float32Array[]>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ type: 'embed', id, texts } satisfies ToThread);
      });
      return answer.finally(() => signal?.removeEventListener('abort', cancel));
    },
  };
}

function crashed(reason: string): QuarryError {
  return new QuarryError(
    'embedding-failed',
    `The thread of the embedding model stopped: ${reason}.`,
    'Run the command again; if it happens again, set embedder.threads to 1.',
  );
}
