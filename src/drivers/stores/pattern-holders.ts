import type { StoreMatch } from '../../contracts/store.ts';
import { systemClock } from '../../platform/clock.ts';
import type { PatternCounter } from './text-pattern.ts';

const textsAtOnce = 1000;

/** Of all these chunks, those whose text holds the pattern: most often first, then by uri and ordinal. */
export async function bestHolders(
  count: PatternCounter,
  batches: AsyncIterable<readonly StoreMatch[]>,
  most: number,
): Promise<StoreMatch[]> {
  let best: StoreMatch[] = [];
  for await (const batch of batches) {
    for (let start = 0; start < batch.length; start += textsAtOnce) {
      const matches = batch.slice(start, start + textsAtOnce);
      const turns = count(matches.map(({ chunk }) => chunk.text));
      let turn = turns.next();
      for (; !turn.done; turn = turns.next()) await systemClock.wait(0);
      for (const [place, match] of matches.entries()) {
        const score = turn.value[place] ?? 0;
        if (score > 0) best.push({ ...match, score });
      }
      if (best.length > 2 * most + textsAtOnce) best = best.sort(compareMatches).slice(0, most);
    }
  }
  return best.sort(compareMatches).slice(0, most);
}

function compareMatches(one: StoreMatch, other: StoreMatch): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.document.uri !== other.document.uri) return one.document.uri < other.document.uri ? -1 : 1;
  return one.chunk.ordinal - other.chunk.ordinal;
}
