import { Worker } from 'node:worker_threads';
import { QuarryError } from '../../../core/errors.ts';

/** Threads that are kept for the next file; more come into being while more files are read at once. */
const idleThreads = 2;

/** Memory for the objects of one thread; a file that needs more ends its thread and nothing else. */
const defaultHeapMegabytes = 768;

/** Runs jobs in threads of their own, each with a hard end of time and memory. */
export interface ThreadPool<Job, Answer> {
  /** Rejects when the thread dies or the time ends; the thread is gone then, and the next job gets a new one. */
  run(job: Job, transfer: readonly ArrayBuffer[], milliseconds: number): Promise<Answer>;
}

/** A pool of threads that run this script and answer each message with one message. */
export function createThreadPool<Job, Answer>(
  script: URL,
  heapMegabytes = defaultHeapMegabytes,
): ThreadPool<Job, Answer> {
  const idle: Worker[] = [];
  const start = (): Worker => {
    // Whatever the parser prints is no part of what Quarry says. Reading it would keep the program alive.
    const options = { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes }, stdout: true, stderr: true };
    const thread = new Worker(script, options);
    // A thread may die between two jobs, from what the last one left behind; nobody else listens then.
    const forget = (): void => {
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    };
    return thread.on('error', forget).on('exit', forget);
  };
  return {
    async run(job, transfer, milliseconds) {
      const thread = idle.pop() ?? start();
      // A thread that waits for work must not keep the program alive, one that works must.
      thread.ref();
      try {
        const answer = await ask<Job, Answer>(thread, job, transfer, milliseconds);
        thread.unref();
        if (idle.length < idleThreads) idle.push(thread);
        else void thread.terminate();
        return answer;
      } catch (thrown) {
        void thread.terminate();
        throw thrown;
      }
    },
  };
}

function ask<Job, Answer>(
  thread: Worker,
  job: Job,
  transfer: readonly ArrayBuffer[],
  milliseconds: number,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const ended = () => reject(lost('the thread that read it ended'));
  const timer = setTimeout(() => reject(lost('out of time')), milliseconds);
  thread.once('message', resolve).once('error', reject).once('exit', ended);
  thread.postMessage(job, transfer);
  return promise.finally(() => {
    clearTimeout(timer);
    thread.off('message', resolve).off('error', reject).off('exit', ended);
  });
}

function lost(what: string): QuarryError {
  return new QuarryError(
    'document-unsupported',
    what,
    'Leave the file out, or save it again in a simpler form.',
  );
}
