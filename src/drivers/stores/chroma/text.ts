import type { SearchBounds, StoreMatch } from '../../../contracts/store.ts';
import { mapConcurrently } from '../../../platform/map-concurrently.ts';
import { bm25, type Collection as Corpus, type QueryWord, queryWords } from '../words.ts';
import type { Collection, Condition, FoundRecord } from './collection.ts';
import { type ChunkFilter, chunkFilter, rowLimit } from './filter.ts';
import { matchesOf } from './matches.ts';
import type { Opened } from './opened.ts';
import { placeOf, positionOf } from './rows.ts';
import { isRefused } from './server.ts';
import { frequenciesIn, leastFrequency, wordToken } from './tokens.ts';
import type { View } from './view.ts';

/** Up to this many chunks, the words of all of them are kept in memory; they are some ten megabytes. */
const fewChunks = 8_000;
/** Words of a query that a large index is asked for: for each of them Chroma looks through all texts. */
const mostWords = 32;
/** Chroma ranks nothing: so many more than wanted are ranked here. */
const candidatesFor = (limit: number) => 4 * limit + 200;
const wordsAtOnce = 4;

/** Best chunks by BM25 for any of the terms: Chroma finds those with a word, their scores are those of the default store. */
export async function searchText(
  opened: Opened,
  view: View,
  terms: readonly string[],
  { limit, filter }: SearchBounds,
  few = fewChunks,
): Promise<StoreMatch[]> {
  const times = queryWords(terms);
  const wanted = rowLimit(limit);
  const admitted = chunkFilter(filter, view);
  if (times.size === 0 || wanted === 0 || view.chunks === 0 || !admitted) return [];
  const corpus = { chunks: view.chunks, averageLength: Math.max(1, view.words) / view.chunks };
  const query = { opened, view, times, wanted, admitted, corpus };
  const found = view.chunks <= few ? await amongFew(query) : await amongMany(query);
  const best = found
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.position - other.position)
    .slice(0, wanted);
  return matchesOf(opened, view, best);
}

interface Query {
  readonly opened: Opened;
  readonly view: View;
  /** The words, each with how often it is asked for. */
  readonly times: ReadonlyMap<string, number>;
  readonly wanted: number;
  readonly admitted: ChunkFilter;
  readonly corpus: Corpus;
}

interface Scored {
  readonly id: string;
  readonly score: number;
  readonly position: number;
}

/** Looks into the words of every chunk. */
async function amongFew({ opened, view, times, admitted, corpus }: Query): Promise<Scored[]> {
  const found: { readonly id: string; readonly held: ReadonlyMap<string, number> }[] = [];
  const counts = new Map<string, number>();
  const asked = [...times.keys()];
  for (const { id, tokens } of await opened.tokens(view)) {
    const held = frequenciesIn(tokens, asked);
    if (held.size > 0) found.push({ id, held });
    for (const word of held.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...times].map(([word, count]) => ({ word, times: count, chunks: counts.get(word) ?? 0 }));
  const { where } = admitted;
  const passing = where && new Set((await opened.chunks.get({ where })).map(({ id }) => id));
  return found
    .filter(({ id }) => admitted.admits(placeOf(id).stamp) && (passing?.has(id) ?? true))
    .map(({ id, held }) => scored(id, bm25(held, placeOf(id).length, words, corpus)));
}

/** Asks Chroma who holds each word, estimates scores from that, and looks into the words of the best. */
async function amongMany({ opened, view, times, wanted, admitted, corpus }: Query): Promise<Scored[]> {
  const { chunks } = opened;
  const holders = async (word: string, level: number, where?: Condition): Promise<string[]> => {
    const found = await chunksWith(chunks, wordToken(word, level), where);
    return found.map(({ id }) => id).filter((id) => view.byStamp.has(placeOf(id).stamp));
  };
  const asked = [...times]
    .filter(([word]) => word.isWellFormed())
    .sort(([one, count], [other, more]) => more - count || other.length - one.length)
    .slice(0, mostWords);
  const most = candidatesFor(wanted);
  const estimates = new Map<string, Map<string, number>>();
  const note = (word: string, level: number, ids: readonly string[]) => {
    for (const id of ids) {
      const held = estimates.get(id) ?? new Map<string, number>();
      estimates.set(id, held.set(word, leastFrequency(level)));
    }
  };
  const words: QueryWord[] = [];
  const count = async ([word, timesAsked]: readonly [string, number]): Promise<void> => {
    const known = view.wordCounts.get(word);
    const everywhere = known === undefined || !admitted.where ? await holders(word, 0) : undefined;
    const total = everywhere?.length ?? known ?? 0;
    view.wordCounts.set(word, total);
    words.push({ word, times: timesAsked, chunks: total });
    if (total === 0) return;
    const here = admitted.where || !everywhere ? await holders(word, 0, admitted.where) : everywhere;
    note(word, 0, here);
    // Where more hold it than are looked at, those that hold it often come first.
    for (const level of here.length > most ? [1, 2] : [])
      note(word, level, await holders(word, level, admitted.where));
  };
  for await (const outcome of mapConcurrently(asked, wordsAtOnce, count))
    if ('error' in outcome) throw outcome.error;
  const best = [...estimates]
    .filter(([id]) => admitted.admits(placeOf(id).stamp))
    .map(([id, held]) => scored(id, bm25(held, placeOf(id).length, words, corpus)))
    .sort((one, other) => other.score - one.score || one.position - other.position)
    .slice(0, most);
  const ids = best.map(({ id }) => id);
  const looked = await chunks.get({ ids, include: ['documents'] });
  return looked.map(({ id, document }) =>
    scored(id, bm25(frequenciesIn(document, times.keys()), placeOf(id).length, words, corpus)),
  );
}

/**
 * The chunks whose words hold this part. Chroma looks through all texts for either form, and is twice as fast with a regular
 * expression; a server that knows none refuses it.
 */
async function chunksWith(
  chunks: Collection,
  part: string,
  where: Condition | undefined,
): Promise<readonly FoundRecord[]> {
  try {
    return await chunks.get({
      where,
      whereDocument: { $regex: part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') },
    });
  } catch (thrown) {
    if (!isRefused(thrown)) throw thrown;
    return chunks.get({ where, whereDocument: { $contains: part } });
  }
}

function scored(id: string, score: number): Scored {
  return { id, score, position: positionOf(placeOf(id)) };
}
