import { Worker } from 'node:worker_threads';
import { interrupted, messageOf, QuarryError } from '../../core/errors.ts';
import { createBusyFlag, waitUntilIdle } from './busy-flag.ts';
import type { FromThread, ModelThreadData, ToThread } from './thread-protocol.ts';

/** A kind of thread that holds a model. */
export interface ModelThreadKind {
  /** The module that it runs. */
  readonly file: URL;
  /** The error for a thread that ended by itself. */
  crashed(reason: string): QuarryError;
}

/** One copy of a model as the process sees it: requests go out to its thread, values come back. */
export interface ModelThread<Request, Value> {
  /** Calls that it has not answered yet. */
  readonly waiting: number;
  call(request: Request, signal?: AbortSignal): Promise<Value>;
}

interface Waiting<Value> {
  resolve(value: Value): void;
  reject(error: QuarryError): void;
}

/** Starts a thread with the model; `onEnd` is called once when it can no longer be used. */
export function startModelThread<Request, Value>(
  kind: ModelThreadKind,
  data: Omit<ModelThreadData, 'flag'>,
  onEnd: () => void,
): ModelThread<Request, Value> {
  const flag = createBusyFlag();
  const waitForCall = (): void => waitUntilIdle(flag);
  process.once('exit', waitForCall);
  return connect(kind, { ...data, flag }, () => {
    process.off('exit', waitForCall);
    onEnd();
  });
}

function connect<Request, Value>(
  { file, crashed }: ModelThreadKind,
  data: ModelThreadData,
  onEnd: () => void,
): ModelThread<Request, Value> {
  // Flags meant for the main program (`--input-type`, `--eval`) would keep the thread from starting.
  // When it starts, the runtime matches the command line with a pattern that recurses once for each character: a
  // long question overflows an ordinary stack. The size is reserved, not used.
  const resourceLimits = { stackSizeMb: 256 };
  const worker = new Worker(file, { workerData: data, execArgv: [], resourceLimits });
  const waiting = new Map<number, Waiting<Value>>();
  let lastId = 0;

  const settle = (id: number): Waiting<Value> | undefined => {
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
  worker.on('message', (message: FromThread<Value>) => {
    const request = settle(message.id);
    if (message.type === 'value') request?.resolve(message.value);
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
    call(request, signal) {
      if (signal?.aborted) return Promise.reject(interrupted(signal.reason));
      lastId += 1;
      const id = lastId;
      // The thread answers once the text in hand is done: until then the model is not free.
      const cancel = (): void => worker.postMessage({ type: 'cancel', id } satisfies ToThread<Request>);
      signal?.addEventListener('abort', cancel, { once: true });
      const answer = new Promise<Value>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.postMessage({ type: 'call', id, request } satisfies ToThread<Request>);
      });
      return answer.finally(() => signal?.removeEventListener('abort', cancel));
    },
  };
}
