import { Worker } from 'node:worker_threads';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { machineFailure, systemCodeOf } from '../../core/machine-failure.ts';
import { createThread, type Death, type Thread } from './thread.ts';

/** How a pool of threads is made. */
export interface BoundedPoolOptions {
  /** The module each thread runs; it calls `serveCalls`. */
  readonly file: URL;
  readonly threads: number;
  readonly data?: unknown;
  /** A task that takes longer costs its thread its life, and is reported. */
  readonly taskMilliseconds: number;
  /** Memory of one thread; a task that needs more costs its thread its life, and is reported. */
  readonly threadMegabytes: number;
  /** What to do about a task that needs more of either, or that breaks its thread. */
  readonly remedies: { readonly time: string; readonly memory: string; readonly crash: string };
}

/** Threads that do one task each at a time. A task that kills its thread loses that task and no other. */
export interface BoundedPool<Task, Value> {
  /**
   * Rejects with the error of the task; with `worker-failed` when it crashes its thread or exceeds a bound; with
   * `machine-failed` when the thread ends for another reason; with `interrupted` when the pool is closed before its end.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Value>;
  /** Ends the threads that have nothing to do, with all their memory; they are started again when there is work. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** How often the memory of a thread at work is looked at; a task that ends sooner costs no look. */
const lookEveryMilliseconds = 50;
const megabyte = 2 ** 20;
/** From here on V8 lets a heap grow to four times what lives in it before it collects, instead of twice at most. */
const lazyMegabytes = 2048;

/** Starts no thread until there is work; a lost thread is replaced when there is more. */
export function createBoundedPool<Task, Value>(options: BoundedPoolOptions): BoundedPool<Task, Value> {
  const { taskMilliseconds, threadMegabytes, remedies } = options;
  const { bound, limit } = memoryOf(threadMegabytes);
  const failed = (reason: string, remedy: string) => new QuarryError('worker-failed', reason, remedy);
  const tooLarge = () => failed(`It needed more than ${threadMegabytes} MB of memory.`, remedies.memory);
  const describeDeath = ({ reason, cause, wasReady }: Death): QuarryError | undefined => {
    if (systemCodeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY') return tooLarge();
    // A thread that threw at work broke over its task, unless the machine is to blame.
    const isOfTask = wasReady && cause !== undefined && !machineFailure(cause);
    return isOfTask ? failed(`It broke its thread: ${reason}.`, remedies.crash) : undefined;
  };
  const threads = Array.from({ length: options.threads }, () =>
    createThread<Task, Value>({
      file: options.file,
      data: options.data,
      resourceLimits: { maxOldGenerationSizeMb: limit },
      isSilent: true,
      describeDeath,
    }),
  );
  const idle = [...threads].reverse();
  const queue: PromiseWithResolvers<Thread<Task, Value>>[] = [];
  /** Threads that could not load a package. The runtime remembers that, so they end when there is nothing to do. */
  const lacking = new Set<Thread<Task, Value>>();
  let isClosed = false;

  const waitForThread = (): Promise<Thread<Task, Value>> => {
    const turn = Promise.withResolvers<Thread<Task, Value>>();
    queue.push(turn);
    return turn.promise;
  };
  const giveBack = (thread: Thread<Task, Value>): void => {
    const next = queue.shift();
    if (next) next.resolve(thread);
    else {
      idle.push(thread);
      if (lacking.delete(thread)) void thread.end();
    }
  };
  const withinBounds = async (thread: Thread<Task, Value>, work: Promise<Value>): Promise<Value> => {
    const took = `It took longer than ${taskMilliseconds / 1000} s.`;
    const deadline = setTimeout(() => void thread.end(failed(took, remedies.time)), taskMilliseconds);
    let isDone = false;
    const look = async (): Promise<void> => {
      const bytes = await thread.heapBytes();
      if (!isDone && bytes !== undefined && bytes > bound * megabyte) await thread.end(tooLarge());
    };
    const looking = bound < limit ? setInterval(look, lookEveryMilliseconds).unref() : undefined;
    try {
      return await work;
    } finally {
      isDone = true;
      clearTimeout(deadline);
      clearInterval(looking);
    }
  };

  return {
    async run(task, transfer = []) {
      if (isClosed) throw interrupted('the pool was closed');
      const thread = idle.pop() ?? (await waitForThread());
      try {
        return await withinBounds(thread, thread.call(task, { transfer }));
      } catch (thrown) {
        if (machineFailure(thrown)) lacking.add(thread);
        throw thrown;
      } finally {
        giveBack(thread);
      }
    },
    async rest() {
      await Promise.all(idle.map((thread) => thread.end()));
    },
    async close() {
      isClosed = true;
      const why = interrupted('the pool was closed');
      for (const turn of queue.splice(0)) turn.reject(why);
      await Promise.all(threads.map((thread) => thread.end(why)));
    },
  };
}

/**
 * V8 ends a thread at its limit only if what is being made still fits a little above it; else it ends the whole process,
 * and an array or a map that grows is copied to one of up to twice its size. So the limit is three times the bound at which
 * the thread is ended from outside: one such step from below the bound has room, and the next look comes before another.
 * The bound is on all that was not collected yet, young objects too, and thus above what is to live. What is used when
 * nothing goes wrong stays as it is, as the limit is kept below where V8 becomes lazy; a task that goes wrong has up to
 * the limit until it is looked at. A single call that makes more than that in one go is still the end of the process.
 */
function memoryOf(megabytes: number): { readonly bound: number; readonly limit: number } {
  // Older versions of Node.js cannot look: there the limit is all there is.
  if (typeof Worker.prototype.getHeapStatistics !== 'function') return { bound: megabytes, limit: megabytes };
  const bound = megabytes + Math.max(64, megabytes / 2);
  return { bound, limit: Math.max(Math.min(3 * bound, lazyMegabytes - 1), 1.5 * bound) };
}
