import { randomUUID } from 'node:crypto';
import { asQuarryError, interrupted, type QuarryError } from '../core/errors.ts';
import type { QuarryEvent } from '../core/events.ts';
import { type Progress, progressOf } from '../core/progress.ts';
import { onAbort } from '../platform/abort.ts';
import { createQueue, type Queue } from '../platform/queue.ts';

/** How many events of a job are kept for those that look later. */
const keptEvents = 200;
/** How many jobs that have ended are kept. */
const keptJobs = 100;

/** Work that goes on without a caller that waits for it. */
export interface Job {
  readonly id: string;
  readonly project: string;
  readonly operation: string;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** The result of the operation, where it is done. */
  readonly result?: unknown;
  readonly error?: QuarryError;
  /** How far it is, while that is known. */
  readonly progress?: Progress | undefined;
  /** The last events, oldest first. */
  readonly events: readonly QuarryEvent[];
}

/** Jobs by id: those that run, and the last that have ended. */
export interface Jobs {
  start(what: Pick<Job, 'project' | 'operation'>, run: JobWork): Job;
  get(id: string): Job | undefined;
  list(): readonly Job[];
  /** Asks a running job to stop; returns whether there was one. */
  cancel(id: string): boolean;
  /** The events of a job from here on, the kept ones first; ends with the job. */
  follow(id: string, signal?: AbortSignal): AsyncGenerator<QuarryEvent>;
  isBusy(): boolean;
  /** Cancels what runs, and waits for it to end. */
  close(): Promise<void>;
}

/** Does the work of a job. */
export type JobWork = (signal: AbortSignal) => AsyncGenerator<QuarryEvent, unknown>;

type MutableJob = { -readonly [Key in keyof Job]: Job[Key] } & { events: QuarryEvent[] };

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** No jobs yet. */
export function createJobs(): Jobs {
  const jobs = new Map<string, MutableJob>();
  const running = new Map<string, Running>();
  const followed = new Map<string, Set<Queue<QuarryEvent>>>();

  const perform = async (job: MutableJob, work: JobWork, signal: AbortSignal): Promise<void> => {
    try {
      const stream = work(signal);
      let step = await stream.next();
      for (; !step.done; step = await stream.next()) {
        job.progress = progressOf(step.value, job.progress);
        job.events.push(step.value);
        if (job.events.length > keptEvents) job.events.shift();
        for (const queue of followed.get(job.id) ?? []) queue.push(step.value);
      }
      job.result = step.value;
      // Some work ends without an error when it is asked to stop.
      job.state = signal.aborted ? 'cancelled' : 'done';
    } catch (thrown) {
      job.error = signal.aborted ? interrupted(thrown) : asQuarryError(thrown);
      job.state = signal.aborted ? 'cancelled' : 'failed';
    } finally {
      job.endedAt = new Date();
      running.delete(job.id);
      for (const queue of followed.get(job.id) ?? []) queue.end();
      forgetOldest();
    }
  };

  const forgetOldest = (): void => {
    const ended = [...jobs.values()].filter(({ state }) => state !== 'running');
    for (const { id } of ended.slice(0, Math.max(0, ended.length - keptJobs))) jobs.delete(id);
  };

  return {
    start({ project, operation }, work) {
      const job: MutableJob = {
        id: randomUUID(),
        project,
        operation,
        startedAt: new Date(),
        state: 'running',
        events: [],
      };
      const stop = new AbortController();
      jobs.set(job.id, job);
      running.set(job.id, { stop, done: perform(job, work, stop.signal) });
      return job;
    },
    get: (id) => jobs.get(id),
    list: () => [...jobs.values()],
    cancel(id) {
      const found = running.get(id);
      found?.stop.abort();
      return found !== undefined;
    },
    async *follow(id, signal) {
      const job = jobs.get(id);
      if (!job) return;
      const queue = createQueue<QuarryEvent>(keptEvents, job.events);
      const followers = followed.get(id) ?? new Set();
      followed.set(id, followers.add(queue));
      const ignore = onAbort(signal, () => queue.end());
      try {
        if (job.state !== 'running') queue.end();
        yield* queue;
      } finally {
        ignore();
        followers.delete(queue);
        if (followers.size === 0) followed.delete(id);
      }
    },
    isBusy: () => running.size > 0,
    async close() {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
