import type { SearchBounds, StoreMatch, TextPattern } from '../../../contracts/store.ts';
import { bestHolders, type Candidate } from '../pattern-holders.ts';
import { rowLimit } from '../row-limit.ts';
import { patternCounter } from '../text-pattern.ts';
import { filterCondition } from './filter.ts';
import { isChunk, quoted, readMatch } from './rows.ts';
import type { Opened } from './table.ts';
import type { View } from './view.ts';

/**
 * Chunks whose text holds the pattern, those that hold it most often first. LanceDB leaves out rows in which a literal does not
 * stand; what a pattern means is decided here, as for every store.
 */
export async function searchPattern(
  { table, seal }: Opened,
  view: View,
  pattern: TextPattern,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const count = patternCounter(pattern);
  const max = rowLimit(limit);
  if (!count || max === 0) return [];
  const admitted = await filterCondition(filter, view);
  const query = table
    .query()
    .where(admitted === undefined ? isChunk : `${isChunk} AND ${admitted}`)
    .select(['record', 'owner']);
  // Each character is escaped by itself: what stands in a text stands in its record.
  if (!pattern.isRegex && !pattern.ignoreCase)
    query.where(`strpos(record, ${quoted(JSON.stringify(pattern.text).slice(1, -1))}) > 0`);
  async function* candidates(): AsyncGenerator<Candidate<StoreMatch>[]> {
    for await (const batch of query)
      yield [...(batch as Iterable<Record<string, unknown>>)].map((row) => {
        const match = readMatch(seal, row, 0);
        const { chunk, document } = match;
        return { reference: match, uri: document.uri, ordinal: chunk.ordinal, text: chunk.text };
      });
  }
  const holders = await bestHolders(count, candidates(), max);
  return holders.map((holder) => ({ ...holder.reference, score: holder.count }));
}
