import { type ResourceLimits, Worker } from 'node:worker_threads';
import { interrupted, messageOf, type QuarryError } from '../../core/errors.ts';
import { machineFailure, threadFailure } from '../../core/failures/machine-failure.ts';
import { failureFromData } from './failure-data.ts';
import type { Answer, FromThread, ToThread } from './messages.ts';
import { startProcess, type ThreadLike } from './thread-process.ts';

/** Memory beside the heap that counts for nothing: the largest picture that is read takes most of it while it is unpacked. */
const maxBesideHeap = 2 ** 30;

/** How a thread is started. */
export interface ThreadOptions {
  /** The module that it runs; it calls `serveCalls`. */
  readonly file: URL;
  readonly data?: unknown;
  readonly resourceLimits?: ResourceLimits;
  /** Whether it is a process of its own, for native code that prints by itself; its data is JSON then. */
  readonly isProcess?: boolean;
  /** Whether what it prints is kept from the process; it drops that itself, since reading it would keep the process alive. */
  readonly isSilent?: boolean;
  /** The error for calls whose thread died; `machine-failed` by default. */
  readonly describeDeath?: (death: Death) => QuarryError | undefined;
  /** Failures after which the thread is replaced, because it may remember a failed load. */
  readonly isReplacedAfter?: (error: QuarryError) => boolean;
  /** Called each time a thread has ended. */
  readonly onEnd?: () => void;
}

/** How a thread died. */
export interface Death {
  readonly reason: string;
  /** What it threw; absent where it ended without an error. */
  readonly cause?: unknown;
  /** Whether it was ready for calls before. */
  readonly wasReady: boolean;
}

/** Options of one call. */
export interface CallOptions<Progress> {
  /** Cancels the call: it rejects when the thread has stopped working on it. */
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly ArrayBuffer[];
  /** Whether the process may end before the call does. */
  readonly isBackground?: boolean;
  readonly onProgress?: (progress: Progress) => void;
}

/** A thread that answers calls. The first call starts it; after it has ended, the next call starts it again. */
export interface Thread<Request, Value, Progress = never> {
  /** Calls that are not answered yet. */
  readonly waiting: number;
  /** Whether it has been started, and takes calls. */
  readonly isRunning: boolean;
  /** Bytes of its heap in use; undefined where that cannot be known. */
  heapBytes(): Promise<number | undefined>;
  /** Keeps the process alive while a call is under way, or lets it end before. */
  keepAlive(isNeeded: boolean): void;
  /** Rejects with the error of the call, with `machine-failed` when the thread dies, with `interrupted` when it is ended. */
  call(request: Request, options?: CallOptions<Progress>): Promise<Value>;
  /** Ends the thread with all its memory; its calls reject with `why`. */
  end(why?: QuarryError): Promise<void>;
}

interface Waiting<Value, Progress> extends PromiseWithResolvers<Value> {
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

interface Running<Value, Progress> {
  readonly worker: ThreadLike;
  readonly waiting: Map<number, Waiting<Value, Progress>>;
  isReady: boolean;
}

/** Prepares a thread; nothing is started yet. */
export function createThread<Request, Value, Progress = never>(
  options: ThreadOptions,
): Thread<Request, Value, Progress> {
  const { describeDeath, isReplacedAfter = ({ code }) => code === 'machine-failed' } = options;
  /** All threads that have not ended: the current one, and replaced ones that still have calls to answer. */
  const threads = new Set<Running<Value, Progress>>();
  let current: Running<Value, Progress> | undefined;
  let lastId = 0;

  const replace = (thread: Running<Value, Progress>): void => {
    if (current === thread) current = undefined;
  };
  const end = async (thread: Running<Value, Progress>, why: QuarryError): Promise<void> => {
    replace(thread);
    if (threads.delete(thread)) options.onEnd?.();
    for (const call of thread.waiting.values()) call.reject(why);
    thread.waiting.clear();
    await thread.worker.terminate();
  };
  const die = (thread: Running<Value, Progress>, reason: string, cause?: unknown): void => {
    const death = { reason, cause, wasReady: thread.isReady };
    void end(thread, describeDeath?.(death) ?? machineFailure(cause) ?? threadFailure(reason));
  };
  const receive = (thread: Running<Value, Progress>, message: FromThread<Value, Progress>): void => {
    if (message.type === 'ready') thread.isReady = true;
    else if (message.type === 'progress') thread.waiting.get(message.id)?.onProgress?.(message.progress);
    else settle(thread, message);
  };
  const settle = (thread: Running<Value, Progress>, answer: Answer<Value>): void => {
    const call = thread.waiting.get(answer.id);
    // The thread is being ended: its answer comes too late.
    if (!call) return;
    thread.waiting.delete(answer.id);
    // An idle thread must not keep the process alive.
    if (thread.waiting.size === 0) thread.worker.unref();
    if (answer.type === 'value') call.resolve(answer.value);
    else {
      const error = failureFromData(answer.error);
      call.reject(error);
      if (isReplacedAfter(error)) replace(thread);
    }
    if (current !== thread && thread.waiting.size === 0) void end(thread, interrupted());
  };
  const start = (): Running<Value, Progress> => {
    const worker = startWorker(options);
    const thread: Running<Value, Progress> = { worker, waiting: new Map(), isReady: false };
    // What `serveCalls` sends.
    worker.on('message', (message) => receive(thread, message as FromThread<Value, Progress>));
    let failure: { readonly cause: unknown } | undefined;
    // What it answered before may still be on its way, until it has ended.
    worker.on('error', (cause) => {
      failure = { cause };
      replace(thread);
    });
    worker.on('exit', (code) =>
      failure
        ? die(thread, messageOf(failure.cause), failure.cause)
        : die(thread, `it ended with code ${code}`),
    );
    threads.add(thread);
    return thread;
  };

  return {
    get waiting() {
      return current?.waiting.size ?? 0;
    },
    get isRunning() {
      return current !== undefined;
    },
    // A thread that has ended meanwhile answers with an error.
    heapBytes: async () =>
      current?.worker.getHeapStatistics().then(
        ({ used_heap_size, external_memory }) =>
          used_heap_size + Math.max(0, external_memory - maxBesideHeap),
        () => undefined,
      ),
    keepAlive(isNeeded) {
      if (isNeeded) current?.worker.ref();
      else current?.worker.unref();
    },
    async call(request, { signal, transfer = [], isBackground = false, onProgress } = {}) {
      if (signal?.aborted) throw interrupted(signal.reason);
      current ??= start();
      const { worker, waiting } = current;
      lastId += 1;
      const id = lastId;
      const call: Waiting<Value, Progress> = { ...Promise.withResolvers<Value>(), onProgress };
      const send = (message: ToThread<Request>): void => worker.postMessage(message, [...transfer]);
      const cancel = (): void => worker.postMessage({ type: 'cancel', id } satisfies ToThread<Request>);
      send({ type: 'call', id, request });
      waiting.set(id, call);
      if (!isBackground) worker.ref();
      signal?.addEventListener('abort', cancel, { once: true });
      return call.promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    async end(why = interrupted('the thread was ended')) {
      await Promise.all([...threads].map((thread) => end(thread, why)));
    },
  };
}

function startWorker(options: ThreadOptions): ThreadLike {
  try {
    const worker = options.isProcess ? startProcess(options.file, options.data) : startThread(options);
    worker.unref();
    return worker;
  } catch (thrown) {
    throw machineFailure(thrown) ?? threadFailure(messageOf(thrown), thrown);
  }
}

function startThread({ file, data, resourceLimits, isSilent = false }: ThreadOptions): Worker {
  return new Worker(file, {
    workerData: data,
    // Flags meant for the main program (`--input-type`, `--eval`) would keep the thread from starting.
    execArgv: [],
    stdout: isSilent,
    stderr: isSilent,
    ...(resourceLimits && { resourceLimits }),
  });
}
