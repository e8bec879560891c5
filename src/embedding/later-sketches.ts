import { type Clock, systemClock } from '../platform/clock.ts';

/** Makes sketches that a query has missed, after it was answered: the next one finds them. */
export interface LaterSketches {
  /** Notes texts to be worked on, the most wanted first; of many those of the last queries. */
  want(texts: readonly string[]): void;
  /** Ends the work; what is not made by then is left out. */
  close(): Promise<void>;
}

/** Texts that wait at most: more would be for queries that nobody remembers. */
const maxWaiting = 64;

/** Milliseconds for which nothing is made after a sketch could not be kept: the next would be made in vain, too. */
const restAfterLoss = 10 * 60_000;

/**
 * Works on one text at a time, the latest first; `make` returns whether the sketch was kept. After a failure it drops what
 * waits, and the next wish starts the work again.
 */
export function createLaterSketches(
  make: (text: string, signal: AbortSignal) => Promise<boolean>,
  clock: Pick<Clock, 'now'> = systemClock,
): LaterSketches {
  const stop = new AbortController();
  const { signal } = stop;
  const waiting = new Set<string>();
  let work: Promise<void> | undefined;
  let inWork: string | undefined;
  let restUntil = 0;
  const run = async (): Promise<void> => {
    try {
      for (let text = latest(waiting); text !== undefined && !signal.aborted; text = latest(waiting)) {
        waiting.delete(text);
        inWork = text;
        if (await make(text, signal)) continue;
        restUntil = clock.now() + restAfterLoss;
        waiting.clear();
      }
    } catch {
      // Nobody waits for it, and a query that needs the model hears of its failure by itself.
      waiting.clear();
    } finally {
      // In the same turn in which nothing more was found: what is wanted later starts the work again.
      work = undefined;
      inWork = undefined;
    }
  };
  return {
    want(texts) {
      if (clock.now() < restUntil) return;
      for (const text of texts.toReversed()) {
        waiting.delete(text);
        if (text !== inWork) waiting.add(text);
      }
      for (const oldest of waiting) {
        if (waiting.size <= maxWaiting) break;
        waiting.delete(oldest);
      }
      if (waiting.size > 0 && !signal.aborted) work ??= run();
    },
    async close() {
      stop.abort();
      await work;
    },
  };
}

function latest(texts: ReadonlySet<string>): string | undefined {
  return [...texts].at(-1);
}
