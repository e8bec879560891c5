import { Worker } from 'node:worker_threads';
import { interrupted, messageOf, QuarryError } from '../core/errors.ts';

/** How a pool of threads is made. */
export interface WorkerPoolOptions {
  /** The module each thread runs; it answers each message with one message. */
  readonly file: URL;
  readonly threads: number;
  readonly workerData: unknown;
  /** A task that takes longer costs its thread its life, and is reported. */
  readonly taskMilliseconds: number;
  /** Memory of one thread; a task that needs more costs its thread its life, and is reported. */
  readonly threadMegabytes: number;
  /** What to do about a task that needs more of either. */
  readonly remedies?: { readonly time: string; readonly memory: string };
}

/** Threads that do one task each at a time. A task that kills its thread loses that task and no other. */
export interface WorkerPool<Task, Value> {
  /**
   * Rejects with `worker-failed` when the task fails, crashes its thread, or takes too long; with `interrupted` when
   * the pool is closed before its end.
   */
  run(task: Task, transfer?: readonly ArrayBuffer[]): Promise<Value>;
  /** Ends the threads that have nothing to do, with all their memory; they are started again when there is work. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** What a thread sends back. */
export type WorkerAnswer<Value> = { readonly value: Value } | { readonly failure: string };

interface Job<Task, Value> {
  readonly task: Task;
  readonly transfer: readonly ArrayBuffer[];
  resolve(value: Value): void;
  reject(error: QuarryError): void;
}

interface Thread<Task, Value> {
  readonly worker: Worker;
  job: Job<Task, Value> | undefined;
  deadline: NodeJS.Timeout | undefined;
  /** Looks at its memory; there is none while it has nothing to do. */
  looking: NodeJS.Timeout | undefined;
}

/** How often the memory of a thread at work is looked at; a task that ends sooner costs no look. */
const lookEveryMilliseconds = 50;
const megabyte = 2 ** 20;
/** From here on V8 lets a heap grow to four times what lives in it before it collects, instead of twice at most. */
const lazyMegabytes = 2048;

/** Starts no thread until there is work; a lost thread is replaced when there is more. */
export function createWorkerPool<Task, Value>(options: WorkerPoolOptions): WorkerPool<Task, Value> {
  const threads = new Set<Thread<Task, Value>>();
  const waiting: Job<Task, Value>[] = [];
  const { bound, limit } = memoryOf(options.threadMegabytes);
  let closed = false;

  const end = (thread: Thread<Task, Value>, why: QuarryError): void => {
    if (!threads.delete(thread)) return;
    stopClocks(thread);
    void thread.worker.terminate();
    thread.job?.reject(why);
    startNext();
  };
  const start = (): Thread<Task, Value> => {
    const worker = new Worker(options.file, {
      workerData: options.workerData,
      execArgv: [],
      // Whatever a library prints is no part of what Quarry says.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limit },
    });
    const thread: Thread<Task, Value> = { worker, job: undefined, deadline: undefined, looking: undefined };
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: WorkerAnswer<Value>) => {
      // An answer may overtake the end of its thread, which is waited for: letting go of it now would end the process.
      if (!threads.has(thread)) return;
      const { job } = thread;
      stopClocks(thread);
      thread.job = undefined;
      worker.unref();
      if ('value' in answer) job?.resolve(answer.value);
      else job?.reject(new QuarryError('worker-failed', answer.failure, mendOrLeaveOut));
      startNext();
    });
    worker.on('error', (cause) => end(thread, crashed(cause, options)));
    worker.on('exit', (code) => end(thread, cutShort(`the reading thread ended with code ${code}`)));
    threads.add(thread);
    return thread;
  };
  const startNext = (): void => {
    while (waiting.length > 0 && !closed) {
      const idle = [...threads].find((thread) => !thread.job);
      const thread = idle ?? (threads.size < options.threads ? start() : undefined);
      if (!thread) return;
      give(thread, waiting.shift() as Job<Task, Value>);
    }
  };
  const give = (thread: Thread<Task, Value>, job: Job<Task, Value>): void => {
    thread.job = job;
    thread.worker.ref();
    const seconds = options.taskMilliseconds / 1000;
    thread.deadline = setTimeout(
      () => end(thread, cutShort(`took longer than ${seconds} s`, options.remedies?.time)),
      options.taskMilliseconds,
    );
    if (bound < limit) thread.looking = setInterval(() => look(thread, job), lookEveryMilliseconds).unref();
    try {
      thread.worker.postMessage(job.task, [...job.transfer]);
    } catch (thrown) {
      end(thread, cutShort(messageOf(thrown)));
    }
  };
  const look = async (thread: Thread<Task, Value>, job: Job<Task, Value>): Promise<void> => {
    // A thread that has ended meanwhile answers with an error, and is reported by its end.
    const memory = await thread.worker.getHeapStatistics().catch(() => undefined);
    if (thread.job === job && memory && memory.used_heap_size > bound * megabyte)
      end(thread, tooMuch(options));
  };

  return {
    run: (task, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(interrupted('the pool was closed'));
        waiting.push({ task, transfer, resolve, reject });
        startNext();
      }),
    async rest() {
      const idle = [...threads].filter((thread) => !thread.job);
      for (const thread of idle) end(thread, interrupted('the pool rests'));
      await Promise.all(idle.map(({ worker }) => worker.terminate()));
    },
    async close() {
      closed = true;
      const workers = [...threads].map(({ worker }) => worker);
      for (const thread of [...threads]) end(thread, interrupted('the pool was closed'));
      for (const job of waiting.splice(0)) job.reject(interrupted('the pool was closed'));
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** Whether a task was ended from outside, by a bound or with its thread: with more room it may end well. */
export function wasCutShort({ code, cause }: QuarryError): boolean {
  return code === 'worker-failed' && cause === endedFromOutside;
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

function stopClocks(thread: Pick<Thread<never, never>, 'deadline' | 'looking'>): void {
  clearTimeout(thread.deadline);
  clearInterval(thread.looking);
}

const endedFromOutside = 'ended from outside';
const mendOrLeaveOut = 'Leave the file out with index.exclude, or mend it.';

function crashed(cause: unknown, options: WorkerPoolOptions): QuarryError {
  const code = (cause as NodeJS.ErrnoException).code;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch(options) : cutShort(messageOf(cause));
}

function tooMuch({ threadMegabytes, remedies }: WorkerPoolOptions): QuarryError {
  return cutShort(`needed more than ${threadMegabytes} MB of memory`, remedies?.memory);
}

function cutShort(reason: string, remedy = mendOrLeaveOut): QuarryError {
  return new QuarryError('worker-failed', reason, remedy, { cause: endedFromOutside });
}
