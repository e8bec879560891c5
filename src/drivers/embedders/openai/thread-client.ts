import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { EmbedOptions } from '../../../contracts/embedder.ts';
import { interrupted, messageOf, QuarryError } from '../../../core/errors.ts';
import type { EngineSettings } from './engine.ts';
import type { FromThread, ToThread, VectorBlock } from './thread-protocol.ts';

/** Texts for a thread. */
export interface ThreadTask extends EmbedOptions {
  readonly texts: readonly string[];
  /** Length of the vectors that came before, where some did. */
  readonly dimensions: number | undefined;
}

/** One thread as the process sees it: texts go out, several calls at a time, and vectors come back. */
export interface ThreadClient {
  /** Calls that it has not answered yet. */
  readonly waiting: number;
  embed(task: ThreadTask): Promise<VectorBlock>;
  /** Ends the thread; calls that it has not answered are interrupted. */
  close(): Promise<void>;
}

/** Starts a thread with an engine; `onEnd` is called when it can no longer be used. */
export function startThread(settings: EngineSettings, onEnd: () => void): ThreadClient {
  // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
  const file = new URL(`./request-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, {
    // The key travels here and nowhere else: neither arguments nor environment of the thread hold it.
    workerData: settings,
    // Flags meant for the main program (`--input-type`, `--eval`) would keep the thread from starting.
    execArgv: [],
    resourceLimits: {
      // When it starts, the runtime matches the command line with a pattern that recurses once for each character: a
      // long question overflows an ordinary stack. The size is reserved, not used.
      stackSizeMb: 256,
      // What a call leaves behind is garbage at once: room for more of it makes the process larger and nothing faster.
      maxYoungGenerationSizeMb: 24,
    },
  });
  const waiting = new Map<number, PromiseWithResolvers<VectorBlock>>();
  let lastId = 0;
  let isReady = false;

  const settle = (id: number): PromiseWithResolvers<VectorBlock> | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    // An idle thread must not keep the process alive; one that is being ended must, until it has.
    if (call && waiting.size === 0) worker.unref();
    return call;
  };
  const failAll = (error: QuarryError): void => {
    onEnd();
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  };
  const post = (message: ToThread): void => worker.postMessage(message);
  worker.unref();
  worker.on('message', (message: FromThread) => {
    if (message.type === 'ready') isReady = true;
    else if (message.type === 'vectors') settle(message.id)?.resolve(message.vectors);
    else settle(message.id)?.reject(failureOf(message));
  });
  worker.on('error', (cause) => failAll(crashed(messageOf(cause), isReady)));
  worker.on('exit', (code) => failAll(crashed(`it ended with code ${code}`, isReady)));

  return {
    get waiting() {
      return waiting.size;
    },
    embed({ texts, as, dimensions, signal }) {
      if (signal?.aborted) return Promise.reject(interrupted(signal.reason));
      lastId += 1;
      const id = lastId;
      const call = Promise.withResolvers<VectorBlock>();
      const cancel = (): void => post({ type: 'cancel', id });
      signal?.addEventListener('abort', cancel, { once: true });
      waiting.set(id, call);
      worker.ref();
      post({ type: 'embed', id, texts, as, dimensions });
      return call.promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    async close() {
      failAll(interrupted());
      await worker.terminate();
    },
  };
}

function failureOf({ code, message, remedy, retryAfter }: FromThread & { type: 'failure' }): QuarryError {
  return new QuarryError(code, message, remedy, { retryAfter });
}

/** A thread that broke over its texts blames them, so that they are tried in smaller calls; one that never began cannot. */
function crashed(reason: string, wasReady: boolean): QuarryError {
  return new QuarryError(
    wasReady ? 'embedding-failed' : 'provider-unreachable',
    `A thread that calls the embedding server stopped: ${reason}.`,
    'Run the command again; if it happens again, set embedder.threads to 1.',
  );
}
