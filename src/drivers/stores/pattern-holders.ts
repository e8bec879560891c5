import { systemClock } from '../../platform/clock.ts';
import type { PatternCounter } from './text-pattern.ts';

/** A chunk that may hold a pattern. */
export interface Candidate<Reference> {
  /** What its engine knows it by. */
  readonly reference: Reference;
  readonly uri: string;
  readonly ordinal: number;
  readonly text: string;
}

/** A chunk that holds a pattern. */
export interface Holder<Reference> extends Omit<Candidate<Reference>, 'text'> {
  readonly count: number;
}

/** Texts that are counted before other work of the process gets its turn. */
const textsAtOnce = 1000;

/** The chunks that hold a pattern most often: most first, then by uri and ordinal. */
export class BestHolders<Reference> {
  readonly #max: number;
  #best: Holder<Reference>[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  add(holder: Holder<Reference>): void {
    this.#best.push(holder);
    if (this.#best.length > 2 * this.#max + textsAtOnce) this.#best = this.all();
  }

  all(): Holder<Reference>[] {
    return this.#best.toSorted(compareHolders).slice(0, this.#max);
  }
}

/** The best holders among all of these candidates, which come some at a time. */
export async function bestHolders<Reference>(
  count: PatternCounter,
  batches: AsyncIterable<readonly Candidate<Reference>[]>,
  max: number,
): Promise<Holder<Reference>[]> {
  const best = new BestHolders<Reference>(max);
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += textsAtOnce) {
      const candidates = batch.slice(start, start + textsAtOnce);
      const turns = count(candidates.map(({ text }) => text));
      let turn = turns.next();
      for (; !turn.done; turn = turns.next()) await systemClock.wait(0);
      for (const [place, { text: _, ...candidate }] of candidates.entries()) {
        const occurrences = turn.value[place] ?? 0;
        if (occurrences > 0) best.add({ ...candidate, count: occurrences });
      }
    }
  }
  return best.all();
}

function compareHolders(one: Holder<unknown>, other: Holder<unknown>): number {
  if (one.count !== other.count) return other.count - one.count;
  if (one.uri !== other.uri) return one.uri < other.uri ? -1 : 1;
  return one.ordinal - other.ordinal;
}
