import { Worker } from 'node:worker_threads';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { machineFailure, systemCodeOf } from '../../core/machine-failure.ts';
import { createThread, type Death, type Thread } from './thread.ts';

/** Options of a pool of threads. */
export interface BoundedPoolOptions {
  /** The module each thread runs; it calls `serveCalls`. */
  readonly file: URL;
  readonly threads: number;
  readonly data?: unknown;
  /** A task that takes longer fails, and its thread is ended. */
  readonly taskMilliseconds: number;
  /** Memory of one thread. A task that needs more fails, and its thread is ended. */
  readonly threadMegabytes: number;
  /** Remedies for a task that exceeds a limit or breaks its thread. */
  readonly remedies: { readonly time: string; readonly memory: string; readonly crash: string };
}

/** Threads that do one task at a time each. A task that breaks its thread affects no other task. */
export interface BoundedPool<Task, Value> {
  /**
   * Rejects with the error of the task; with `worker-failed` when it crashes its thread or exceeds a bound; with
   * `machine-failed` when the thread ends for another reason; with `interrupted` when the pool is closed first.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Value>;
  /** Ends idle threads and frees their memory; they start again when there is work. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** How often the memory of a working thread is checked; a shorter task is not checked. */
const lookEveryMilliseconds = 50;
const megabyte = 2 ** 20;
/** Above this limit V8 lets a heap grow to four times its live size before it collects, instead of two times. */
const lazyMegabytes = 2048;

/** Starts no thread until there is work; a lost thread is replaced when there is more work. */
export function createBoundedPool<Task, Value>(options: BoundedPoolOptions): BoundedPool<Task, Value> {
  const { taskMilliseconds, threadMegabytes, remedies } = options;
  const { bound, limit } = memoryOf(threadMegabytes);
  const failed = (reason: string, remedy: string) => new QuarryError('worker-failed', reason, remedy);
  const tooLarge = () => failed(`It needed more than ${threadMegabytes} MB of memory.`, remedies.memory);
  const describeDeath = ({ reason, cause, wasReady }: Death): QuarryError | undefined => {
    if (systemCodeOf(cause) === 'ERR_WORKER_OUT_OF_MEMORY') return tooLarge();
    // A thread that threw while working was broken by its task, unless the machine failed.
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
  /** Threads that could not load a package. The runtime remembers the failure, so they are ended when idle. */
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
 * Two numbers for one thread. At `bound` this process ends the thread; `limit` is given to V8.
 *
 * At its limit V8 ends only the thread if the new allocation fits a little above the limit, and otherwise the whole
 * process. A growing array or map is copied to one of up to twice its size. So the limit is three times the bound: one
 * such step from below the bound fits, and the next check comes before another step. The bound also covers garbage that
 * is not collected yet, so it is above the live size. The limit stays below the point where V8 collects less often, so
 * normal tasks use no more memory. One call that allocates more than the limit at once still ends the process.
 */
function memoryOf(megabytes: number): { readonly bound: number; readonly limit: number } {
  // Older versions of Node.js cannot report the heap of a thread: there is only the limit.
  if (typeof Worker.prototype.getHeapStatistics !== 'function') return { bound: megabytes, limit: megabytes };
  const bound = megabytes + Math.max(64, megabytes / 2);
  return { bound, limit: Math.max(Math.min(3 * bound, lazyMegabytes - 1), 1.5 * bound) };
}
