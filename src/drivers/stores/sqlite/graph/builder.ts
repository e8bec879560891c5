import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import type { GraphFile } from './file.ts';
import type { GraphTask } from './grow.ts';

/** What the thread sends while it works: how many vectors the graph has by now. */
export interface GraphProgress {
  readonly vectors: number;
}

/** What the thread sends when it has finished. */
export type GraphAnswer = { readonly file: GraphFile | undefined } | { readonly failure: string };

/** Milliseconds before another attempt, once one has failed: a full disk may have room by then. */
const restAfterFailure = 60 * 60 * 1000;

/** Makes the graph of one space in a thread of its own, one at a time. */
export class GraphBuilder {
  readonly #clock: Pick<Clock, 'now'>;
  #worker: Worker | undefined;
  #finished: Promise<void> = Promise.resolve();
  #failure: string | undefined;
  #failedAt = 0;
  #built: GraphFile | undefined;
  #vectors = 0;
  /** Ends the waiting of whoever follows the work. */
  #tell: () => void = () => undefined;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** The graph that was made last, once: it needs no second look for damage. */
  take(): GraphFile | undefined {
    const built = this.#built;
    this.#built = undefined;
    return built;
  }

  /** Why the last attempt failed. The next one has time: exact search goes on to answer. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Makes no other attempt for a while. */
  giveUp(failure: string): void {
    this.#failure = failure;
    this.#failedAt = this.#clock.now();
  }

  /** Starts, unless work is under way or has failed a while ago. The process does not live on for its sake. */
  start(task: GraphTask): void {
    if (this.#worker || this.#isResting()) return;
    // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
    const file = new URL(`./thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(file, { workerData: task, execArgv: [] });
    this.#worker = worker;
    this.#vectors = 0;
    worker.unref();
    this.#finished = new Promise((resolve) => {
      const finish = (failure?: string): void => {
        if (this.#worker !== worker) return;
        this.#worker = undefined;
        this.#failure = undefined;
        if (failure !== undefined) this.giveUp(failure);
        resolve();
      };
      worker.on('message', (answer: GraphAnswer | GraphProgress) => {
        if ('vectors' in answer) return this.#advance(answer);
        if ('failure' in answer) return finish(answer.failure);
        this.#built = answer.file;
        finish(answer.file ? undefined : 'there is nothing to make a graph of');
      });
      worker.on('error', (cause) => finish(cause.message));
      worker.on('exit', (code) => finish(code === 0 ? undefined : `the thread ended with code ${code}`));
    });
  }

  /** How many vectors the graph has, now and whenever it has more, until nothing is under way. */
  async *follow(): AsyncGenerator<number> {
    const worker = this.#worker;
    worker?.ref();
    try {
      while (worker && worker === this.#worker) {
        const more = new Promise<void>((resolve) => {
          this.#tell = resolve;
        });
        yield this.#vectors;
        await Promise.race([more, this.#finished]);
      }
    } finally {
      worker?.unref();
    }
  }

  /** Waits until nothing is under way; keeps the process alive meanwhile. */
  async settled(): Promise<void> {
    this.#worker?.ref();
    await this.#finished;
  }

  /** Stops what is under way, as if it had never been begun. What is written is removed by the next to make a graph. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const finished = this.#finished;
    await worker.terminate();
    await finished;
    this.#failure = undefined;
  }

  #isResting(): boolean {
    return this.#failure !== undefined && this.#clock.now() - this.#failedAt < restAfterFailure;
  }

  #advance({ vectors }: GraphProgress): void {
    this.#vectors = vectors;
    this.#tell();
  }
}
