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
}

/** Starts no thread until there is work; a lost thread is replaced when there is more. */
export function createWorkerPool<Task, Value>(options: WorkerPoolOptions): WorkerPool<Task, Value> {
  const threads = new Set<Thread<Task, Value>>();
  const waiting: Job<Task, Value>[] = [];
  let closed = false;

  const end = (thread: Thread<Task, Value>, why: QuarryError): void => {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.deadline);
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
      resourceLimits: { maxOldGenerationSizeMb: options.threadMegabytes },
    });
    const thread: Thread<Task, Value> = { worker, job: undefined, deadline: undefined };
    worker.unref();
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (answer: WorkerAnswer<Value>) => {
      // An answer may overtake the end of its thread, which is waited for: letting go of it now would end the process.
      if (!threads.has(thread)) return;
      const { job } = thread;
      clearTimeout(thread.deadline);
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
    try {
      thread.worker.postMessage(job.task, [...job.transfer]);
    } catch (thrown) {
      end(thread, cutShort(messageOf(thrown)));
    }
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

const endedFromOutside = 'ended from outside';
const mendOrLeaveOut = 'Leave the file out with index.exclude, or mend it.';

function crashed(cause: unknown, { threadMegabytes, remedies }: WorkerPoolOptions): QuarryError {
  const code = (cause as NodeJS.ErrnoException).code;
  return code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? cutShort(`needed more than ${threadMegabytes} MB of memory`, remedies?.memory)
    : cutShort(messageOf(cause));
}

function cutShort(reason: string, remedy = mendOrLeaveOut): QuarryError {
  return new QuarryError('worker-failed', reason, remedy, { cause: endedFromOutside });
}
