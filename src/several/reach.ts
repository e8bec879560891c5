import type { SearchOptions, SearchOutcome } from '../calls/project.ts';

/** Milliseconds that what is known is kept waiting for what others have. */
const maxWait = 1_000;

/** Which of several searches at once may have a hit in the merged list. */
export interface Reach {
  /** Makes a search that asks, before it reranks, whether it has a hit that may be shown. */
  among(
    search: (isInReach: NonNullable<SearchOptions['isInReach']>) => Promise<SearchOutcome>,
  ): Promise<SearchOutcome>;
}

/**
 * A reranker changes the order within a project, never how relevant its best hit is: where others have as many hits as are wanted that
 * are all more relevant, it need not work. It is decided when all that were begun know what they have, or after a second.
 */
export function createReach(maxHits: number): Reach {
  const known: number[] = [];
  const waiting = new Set<() => void>();
  let max = maxHits;
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const note = (levels: readonly number[]): void => {
    known.push(...levels);
    known.sort((one, other) => other - one);
    // A project may be set to give more.
    max = Math.max(max, levels.length);
  };
  const decide = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const release of waiting) release();
    waiting.clear();
  };
  const decideIfAllKnow = (): void => {
    if (waiting.size >= running) decide();
  };
  return {
    async among(search) {
      let isRunning = true;
      let hasTold = false;
      running += 1;
      const rest = (): void => {
        if (isRunning) running -= 1;
        isRunning = false;
      };
      const isInReach = async (levels: readonly number[]): Promise<boolean> => {
        // A search that is begun again, since its index was replaced meanwhile, has told before.
        if (!hasTold) note(levels);
        hasTold = true;
        const decided = new Promise<void>((release) => {
          waiting.add(release);
        });
        timer ??= setTimeout(decide, maxWait);
        decideIfAllKnow();
        await decided;
        rest();
        return (levels[0] ?? 0) >= (known[max - 1] ?? 0);
      };
      try {
        const outcome = await search(isInReach);
        // It knew its answer from before.
        if (!hasTold) note(outcome.hits.map(({ relevance }) => relevance));
        return outcome;
      } finally {
        rest();
        decideIfAllKnow();
      }
    },
  };
}
