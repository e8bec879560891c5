import type { Query } from '@lancedb/lancedb';
import type { SearchBounds, StoreMatch } from '../../../contracts/store.ts';
import { rowLimit } from '../row-limit.ts';
import { bm25, type QueryWord, queryWords, wordFrequencies } from '../words.ts';
import { filterCondition } from './filter.ts';
import { matchColumns, readMatch } from './rows.ts';
import type { Opened } from './table.ts';
import { queryTokens } from './tokens.ts';
import type { View } from './view.ts';

/** Up to this many chunks, all that hold a word are looked at. */
const fewChunks = 2_000;
/** LanceDB ranks without fields, and counts what was deleted: so many more than wanted are ranked again here. */
const candidatesFor = (limit: number) => 2 * limit + 200;
const countsAtOnce = 8;

/** Best chunks by BM25 for any of the terms: LanceDB finds candidates, their scores are those of the default store. */
export async function searchText(
  opened: Opened,
  view: View,
  terms: readonly string[],
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const times = queryWords(terms);
  const wanted = rowLimit(limit);
  const collection = await view.collection();
  if (times.size === 0 || wanted === 0 || collection.chunks === 0) return [];
  const isSmall = collection.chunks <= fewChunks;
  const found = matching(opened, queryTokens(times.keys()));
  const condition = await filterCondition(filter, view);
  if (condition !== undefined) found.where(condition);
  const finding = found
    .select([...matchColumns, 'lines', 'length', '_score'])
    .limit(isSmall ? collection.chunks : candidatesFor(wanted))
    .toArray();
  const counting = isSmall ? undefined : countEach(opened, view, times, collection.chunks);
  const [rows, counted] = await Promise.all([finding, counting]);
  if (rows.length === 0) return [];
  const counts =
    counted ?? countIn(filter ? await allMatching(opened, times, collection.chunks) : rows, times);
  const words = [...times].map(
    ([word, count]): QueryWord => ({ word, times: count, chunks: counts.get(word) ?? 0 }),
  );
  return rows
    .map((row) => ({
      row,
      score: bm25(wordFrequencies(String(row.lines)), Number(row.length), words, collection),
    }))
    .filter(({ score }) => score > 0)
    .sort(
      (one, other) =>
        other.score - one.score ||
        one.row.position - other.row.position ||
        one.row.ordinal - other.row.ordinal,
    )
    .slice(0, wanted)
    .map(({ row, score }) => readMatch(opened.seal, row, score));
}

/** Words are data to this query: it has no operators. */
function matching({ loaded, table }: Opened, tokens: Iterable<string>): Query {
  return table.query().fullTextSearch(new loaded.lance.MatchQuery([...tokens].join(' '), 'words'));
}

async function allMatching(
  opened: Opened,
  times: ReadonlyMap<string, number>,
  chunks: number,
): Promise<readonly { readonly lines: unknown }[]> {
  return matching(opened, times.keys()).select(['lines', '_score']).limit(chunks).toArray();
}

/** In how many of the rows each word stands. */
function countIn(
  rows: readonly { readonly lines?: unknown }[],
  times: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { lines } of rows)
    for (const word of new Set(String(lines).split(/[ \n]/)))
      if (times.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The same in the whole index, each word asked for by itself; counted once for each version of the index. */
async function countEach(
  opened: Opened,
  { wordCounts }: View,
  times: ReadonlyMap<string, number>,
  chunks: number,
): Promise<ReadonlyMap<string, number>> {
  const uncounted = [...times.keys()].filter((word) => !wordCounts.has(word));
  // A word in half of all chunks has no weight, so that nobody needs to know in how many more.
  const max = Math.ceil(chunks / 2);
  const count = async (word: string) => {
    const found = await matching(opened, [word]).select(['ordinal', '_score']).limit(max).toArrow();
    wordCounts.set(word, found.numRows);
  };
  for (let start = 0; start < uncounted.length; start += countsAtOnce)
    await Promise.all(uncounted.slice(start, start + countsAtOnce).map(count));
  return wordCounts;
}
