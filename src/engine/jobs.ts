import { randomUUID } from 'node:crypto';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
import type { QuarryEvent } from '../core/events.ts';
import { type Progress, progressOf } from '../core/progress.ts';
import type { Reach } from '../operations/operation.ts';
import { onAbort } from '../platform/abort.ts';
import { createQueue, type Queue } from '../platform/queue.ts';

/** How many events of a job are kept for those that look later. */
const keptEvents = 200;
/** How many jobs that have ended are kept … */
const keptJobs = 100;
/** … and how large their results and events are, as JSON; the oldest are forgotten first. */
const keptCharacters = 32 * 1024 * 1024;
/** How many jobs run at the same time … */
const maxRunning = 64;
/** … and of one caller, so that it leaves some to others. */
const maxOfCaller = 16;

/** Work that continues without a caller that waits for it. */
export interface Job {
  readonly id: string;
  readonly project: string;
  /** The folder of the project, which may be forgotten before its jobs are. */
  readonly folder: string;
  readonly operation: string;
  /** What the operation touches: a caller that may not ask for that does not see it either. */
  readonly reach: Reach;
  /** Who began it; absent for the user of the machine. */
  readonly caller?: string;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** The result of the operation, where it is done. */
  readonly result?: unknown;
  /** How long that is as JSON. */
  readonly resultCharacters: number;
  readonly error?: QuarryError;
  /** How far it is, while that is known. */
  readonly progress?: Progress | undefined;
  /** The last events, oldest first. */
  readonly events: readonly QuarryEvent[];
}

/** Jobs by id: those that run, and the last that have ended. */
export interface Jobs {
  /** Begins a job; fails with `request-limited` where too many run. */
  start(what: Pick<Job, 'project' | 'folder' | 'operation' | 'reach' | 'caller'>, run: JobWork): Job;
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

type MutableJob = { -readonly [Key in keyof Job]: Job[Key] } & {
  events: QuarryEvent[];
  /** Of what is kept of it. */
  characters: number;
};

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

const defaultBounds = { characters: keptCharacters, running: maxRunning, ofCaller: maxOfCaller };

/** No jobs yet. */
export function createJobs(max = defaultBounds): Jobs {
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
      keepWithinBounds(job);
      running.delete(job.id);
      for (const queue of followed.get(job.id) ?? []) queue.end();
      forgetOldest();
    }
  };

  const runningOf = (caller: string): number =>
    [...running.keys()].filter((id) => jobs.get(id)?.caller === caller).length;
  const forgetOldest = (): void => {
    const ended = [...jobs.values()].filter(({ state }) => state !== 'running');
    let characters = ended.reduce((sum, job) => sum + job.characters, 0);
    for (const [at, job] of ended.entries()) {
      if (ended.length - at <= keptJobs && characters <= max.characters) return;
      jobs.delete(job.id);
      characters -= job.characters;
    }
  };
  /** A result that alone is larger than all that are kept is not kept. */
  const keepWithinBounds = (job: MutableJob): void => {
    job.resultCharacters = JSON.stringify([job.result]).length;
    job.characters = job.resultCharacters + JSON.stringify(job.events).length;
    if (job.characters <= max.characters) return;
    job.resultCharacters = 0;
    job.characters = 0;
    job.result = undefined;
    job.events = [];
    job.state = 'failed';
    job.error = new QuarryError(
      'request-too-large',
      'The result is larger than what is kept of jobs.',
      'Ask for less at once, or without a job: as a stream (Accept: application/x-ndjson).',
    );
  };

  return {
    start({ project, folder, operation, reach, caller }, work) {
      const own = caller === undefined ? 0 : runningOf(caller);
      if (running.size >= max.running || own >= max.ofCaller)
        throw new QuarryError('request-limited', 'Too many jobs are running.', 'Wait for one to end.', {
          retryAfter: 1000,
        });
      const job: MutableJob = {
        id: randomUUID(),
        project,
        folder,
        operation,
        reach,
        ...(caller !== undefined && { caller }),
        startedAt: new Date(),
        state: 'running',
        events: [],
        resultCharacters: 0,
        characters: 0,
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
