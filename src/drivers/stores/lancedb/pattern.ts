import type { SearchBounds, StoreMatch, TextPattern } from '../../../contracts/store.ts';
import { systemClock } from '../../../platform/clock.ts';
import { patternCounter } from '../text-pattern.ts';
import { chunkCondition, rowLimit } from './filter.ts';
import { quoted, readMatch } from './rows.ts';
import type { Opened } from './table.ts';
import type { View } from './view.ts';

const rowsAtOnce = 1000;

/**
 * Chunks whose text holds the pattern, those that hold it most often first. LanceDB leaves out rows in which a literal does not
 * stand; what a pattern means is decided here, as for every store.
 */
export async function searchPattern(
  { table }: Opened,
  view: View,
  pattern: TextPattern,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const count = patternCounter(pattern);
  const most = rowLimit(limit);
  if (!count || most === 0) return [];
  const query = table
    .query()
    .where(await chunkCondition(filter, view))
    .select(['record', 'owner']);
  // Each character is escaped by itself: what stands in a text stands in its record.
  if (!pattern.isRegex && !pattern.ignoreCase)
    query.where(`strpos(record, ${quoted(JSON.stringify(pattern.text).slice(1, -1))}) > 0`);
  let best: StoreMatch[] = [];
  for await (const batch of query) {
    const rows = [...(batch as Iterable<Record<string, unknown>>)];
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const matches = rows.slice(start, start + rowsAtOnce).map((row) => readMatch(row, 0));
      const turns = count(matches.map(({ chunk }) => chunk.text));
      let turn = turns.next();
      for (; !turn.done; turn = turns.next()) await systemClock.wait(0);
      for (const [place, match] of matches.entries()) {
        const score = turn.value[place] ?? 0;
        if (score > 0) best.push({ ...match, score });
      }
      if (best.length > 2 * most + rowsAtOnce) best = best.sort(compareMatches).slice(0, most);
    }
  }
  return best.sort(compareMatches).slice(0, most);
}

function compareMatches(one: StoreMatch, other: StoreMatch): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.document.uri !== other.document.uri) return one.document.uri < other.document.uri ? -1 : 1;
  return one.chunk.ordinal - other.chunk.ordinal;
}
