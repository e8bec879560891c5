import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { machineFailure, systemCodeOf } from '../../core/failures/machine-failure.ts';
import { keepSpare, takeSpare } from './spare-threads.ts';
import { createThread, type Death, type Thread } from './thread.ts';
import { tasksPerThread } from './thread-share.ts';

/** Options of a pool of threads. */
export interface BoundedPoolOptions {
  /** The module each thread runs; it calls `serveInTurn`. */
  readonly file: URL;
  readonly threads: number;
  readonly data?: unknown;
  /** A task that takes longer fails, and its thread is ended. */
  readonly taskMilliseconds: number;
  /** Memory of one thread. A task that needs more fails, and its thread is ended. */
  readonly threadMegabytes: number;
  /** Called each time a thread has ended. */
  readonly onEnd?: () => void;
  /** Remedies for a task that exceeds a limit or breaks its thread. */
  readonly remedies: { readonly time: string; readonly memory: string; readonly crash: string };
}

/** What it takes to hand a task to a thread. */
export interface TaskWeight {
  readonly bytes: number;
  /** Memory that may move to the thread instead of being copied. */
  readonly transfer: readonly ArrayBuffer[];
  /** Threads that such tasks may have at most, of those of the pool; all of them where absent. */
  readonly threads?: number | undefined;
}

/** Threads that do one task at a time each, in the order in which they get them. A task that breaks its thread affects no other task. */
export interface BoundedPool<Task, Value, Progress = never> {
  /**
   * Rejects with the error of the task; with `worker-failed` when it crashes its thread or exceeds a bound; with
   * `machine-failed` when the thread ends for another reason; with `interrupted` when the pool is closed first.
   */
  run(task: Task, weight?: TaskWeight, onProgress?: (progress: Progress) => void): Promise<Value>;
  /** Ends idle threads and frees their memory; they start again when there is work. */
  rest(): Promise<void>;
  /** Ends what is under way. A few idle threads are kept for some seconds, for a pool of the same file and bounds. */
  close(): Promise<void>;
}

/**
 * A thread with small tasks only is handed the next ones ahead, so that it does not wait for this process, which may be
 * busy. Such a task is copied, to be done again where one before it breaks the thread.
 */
const smallBytes = 65_536;
/** How often the memory of a working thread is checked; a shorter task is not checked. */
const lookEveryMilliseconds = 50;
const megabyte = 2 ** 20;
/** Above this limit V8 lets a heap grow to four times its live size before it collects, instead of two times. */
const lazyMegabytes = 2048;
/**
 * Young objects of a thread, its two spare halves included: V8 would let them grow to a hundred megabytes, which a thread that keeps fifteen
 * fills again and again without getting any faster.
 */
const youngMegabytes = 24;

/** Starts no thread until there is work; a lost thread is replaced when there is more work. */
export function createBoundedPool<Task, Value, Progress = never>(
  options: BoundedPoolOptions,
): BoundedPool<Task, Value, Progress> {
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
  // A thread with data of its own is no use to another pool.
  const kind =
    options.data === undefined ? JSON.stringify([options.file, threadMegabytes, remedies]) : undefined;
  const openThread = (): Thread<Task, Value, Progress> =>
    // What a thread of this file is asked and answers is the same in every pool.
    (kind && (takeSpare(kind) as Thread<Task, Value, Progress> | undefined)) ||
    createThread<Task, Value, Progress>({
      file: options.file,
      data: options.data,
      resourceLimits: { maxOldGenerationSizeMb: limit, maxYoungGenerationSizeMb: youngMegabytes },
      isSilent: true,
      describeDeath,
      ...(options.onEnd && { onEnd: options.onEnd }),
    });
  const lines = Array.from(
    { length: options.threads },
    (): Line<Task, Value, Progress> => ({ tasks: 0, takesAhead: false, done: ready }),
  );
  const queue: (PromiseWithResolvers<Line<Task, Value, Progress>> & Wanted)[] = [];
  let isClosed = false;

  const hasRoom = (line: Line<Task, Value, Progress>, { isSmall, threads }: Wanted): boolean =>
    lines.indexOf(line) < threads &&
    (line.tasks === 0 || (line.tasks < tasksPerThread && line.takesAhead && isSmall));
  const take = (line: Line<Task, Value, Progress>, { isSmall }: Wanted): Line<Task, Value, Progress> => {
    line.tasks += 1;
    line.takesAhead = isSmall;
    return line;
  };
  const findLine = (wanted: Wanted): Line<Task, Value, Progress> | undefined => {
    const [line] = lines
      .filter((each) => hasRoom(each, wanted))
      .sort((one, other) => one.tasks - other.tasks);
    return line && take(line, wanted);
  };
  const waitForLine = (wanted: Wanted): Promise<Line<Task, Value, Progress>> => {
    const turn = { ...Promise.withResolvers<Line<Task, Value, Progress>>(), ...wanted };
    queue.push(turn);
    return turn.promise;
  };
  const giveBack = (line: Line<Task, Value, Progress>): void => {
    line.tasks -= 1;
    const nextFor = () => queue.find((turn) => hasRoom(line, turn));
    for (let next = nextFor(); next; next = nextFor()) {
      queue.splice(queue.indexOf(next), 1);
      next.resolve(take(line, next));
    }
    if (line.tasks > 0 || !line.isLacking) return;
    line.isLacking = false;
    void line.thread?.end();
  };
  const watch = (thread: Thread<Task, Value, Progress>): (() => void) => {
    const took = `It took longer than ${taskMilliseconds / 1000} s.`;
    let isDone = false;
    const endThread = async (why: QuarryError): Promise<void> => {
      // An answer that came while this process was busy counts.
      await nextTurn();
      if (!isDone) await thread.end(why);
    };
    const deadline = setTimeout(() => void endThread(failed(took, remedies.time)), taskMilliseconds);
    const look = async (): Promise<void> => {
      const bytes = await thread.heapBytes();
      if (!isDone && bytes !== undefined && bytes > bound * megabyte) await endThread(tooLarge());
    };
    const looking = bound < limit ? setInterval(look, lookEveryMilliseconds).unref() : undefined;
    return () => {
      isDone = true;
      clearTimeout(deadline);
      clearInterval(looking);
    };
  };
  /** Undefined where the thread broke before it had begun with this task. */
  const perform = async (
    line: Line<Task, Value, Progress>,
    task: Task,
    transfer: readonly ArrayBuffer[],
    onProgress: ((progress: Progress) => void) | undefined,
  ): Promise<{ readonly value: Value } | undefined> => {
    line.thread ??= openThread();
    const { thread, done: before } = line;
    const work = thread.call(task, { transfer, ...(onProgress && { onProgress }) });
    let unwatch: (() => void) | undefined;
    let isDone = false;
    // A thread that breaks rejects all of its tasks at once, before this is heard.
    void before.then(() => {
      if (!isDone) unwatch = watch(thread);
    });
    line.done = work.then(
      () => undefined,
      // Who gave the task hears of it; the next one only waits for its turn.
      () => undefined,
    );
    try {
      return { value: await work };
    } catch (thrown) {
      if (!unwatch) return undefined;
      if (machineFailure(thrown)) line.isLacking = true;
      throw thrown;
    } finally {
      isDone = true;
      unwatch?.();
      giveBack(line);
    }
  };

  return {
    async run(task, { bytes, transfer, threads = lines.length } = { bytes: 0, transfer: [] }, onProgress) {
      const wanted = { isSmall: bytes <= smallBytes, threads: Math.max(1, threads) };
      for (;;) {
        const line = findLine(wanted) ?? (await waitForLine(wanted));
        if (isClosed) throw interrupted('the pool was closed');
        const answer = await perform(line, task, wanted.isSmall ? [] : transfer, onProgress);
        if (answer) return answer.value;
      }
    },
    async rest() {
      await Promise.all(lines.filter(({ tasks }) => tasks === 0).map(({ thread }) => thread?.end()));
    },
    async close() {
      isClosed = true;
      const why = interrupted('the pool was closed');
      for (const turn of queue.splice(0)) turn.reject(why);
      for (const line of lines.filter(({ tasks }) => tasks === 0)) {
        if (kind && line.thread?.isRunning)
          keepSpare(kind, line.thread as unknown as Thread<unknown, unknown>);
        line.thread = undefined;
      }
      await Promise.all(lines.map(({ thread }) => thread?.end(why)));
    },
  };
}

/** A thread and the tasks that it was handed, which it does in their order. */
interface Line<Task, Value, Progress> {
  /** Undefined until there is work. */
  thread?: Thread<Task, Value, Progress> | undefined;
  tasks: number;
  /** Whether all of its tasks are small. */
  takesAhead: boolean;
  /** Resolves when the last task that it was handed has ended. */
  done: Promise<void>;
  /** It could not load a package. The runtime remembers the failure, so it is ended when idle. */
  isLacking?: boolean;
}

/** What a task asks of a thread. */
interface Wanted {
  readonly isSmall: boolean;
  /** It may have one of so many, the first ones. */
  readonly threads: number;
}

const ready = Promise.resolve();

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
