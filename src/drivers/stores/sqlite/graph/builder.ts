import { asQuarryError } from '../../../../core/errors.ts';
import { type Clock, systemClock } from '../../../../platform/clock.ts';
import { threadFile } from '../../../../platform/package-folder.ts';
import { createThread } from '../../../../platform/threads/thread.ts';
import type { GraphFile } from './file.ts';
import type { GraphTask } from './grow.ts';

/** Milliseconds before another attempt, once one has failed: a full disk may have room by then. */
const restAfterFailure = 60 * 60 * 1000;

/** Makes the graph of one space in a thread of its own, one at a time. */
export class GraphBuilder {
  readonly #clock: Pick<Clock, 'now'>;
  /** Reports how many vectors the graph has by now. */
  readonly #thread = createThread<GraphTask, GraphFile | undefined, number>({
    file: threadFile('drivers/stores/sqlite/graph/graph-thread'),
  });
  /** The work under way; undefined where there is none. */
  #building: Promise<void> | undefined;
  #failure: string | undefined;
  #failedAt = 0;
  #isStopping = false;
  #built: GraphFile | undefined;
  #vectors = 0;
  /** Wakes the caller that follows the work. */
  #notify: () => void = () => undefined;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** The graph that was made last, once: it needs no second look for damage. */
  take(): GraphFile | undefined {
    const built = this.#built;
    this.#built = undefined;
    return built;
  }

  /** Why the last attempt failed. The next one has time: exact search continues to answer. */
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
    if (this.#building || this.#isResting()) return;
    this.#vectors = 0;
    this.#building = this.#build(task).finally(() => {
      this.#building = undefined;
    });
  }

  /** How many vectors the graph has, now and whenever it has more, until nothing is under way. */
  async *follow(): AsyncGenerator<number> {
    const building = this.#building;
    this.#thread.keepAlive(true);
    try {
      while (building && building === this.#building) {
        const more = new Promise<void>((resolve) => {
          this.#notify = resolve;
        });
        yield this.#vectors;
        await Promise.race([more, building]);
      }
    } finally {
      this.#thread.keepAlive(false);
    }
  }

  /** Waits until nothing is under way; keeps the process alive meanwhile. */
  async settled(): Promise<void> {
    this.#thread.keepAlive(true);
    await this.#building;
  }

  /** Stops what is under way, as if it had never been begun. What is written is removed by the next to make a graph. */
  async close(): Promise<void> {
    if (!this.#building) return;
    this.#isStopping = true;
    await Promise.all([this.#thread.end(), this.#building]);
    this.#isStopping = false;
  }

  async #build(task: GraphTask): Promise<void> {
    const onProgress = (vectors: number): void => {
      this.#vectors = vectors;
      this.#notify();
    };
    try {
      this.#built = await this.#thread.call(task, { isBackground: true, onProgress });
      this.#failure = undefined;
      if (!this.#built) this.giveUp('there is nothing to make a graph of');
    } catch (thrown) {
      // What was stopped did not fail, and may begin again at once.
      if (!this.#isStopping) this.giveUp(asQuarryError(thrown).message);
    } finally {
      // The graph is in its file: nothing of the thread is needed any more.
      void this.#thread.end();
    }
  }

  #isResting(): boolean {
    return this.#failure !== undefined && this.#clock.now() - this.#failedAt < restAfterFailure;
  }
}
