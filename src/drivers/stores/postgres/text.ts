import type { SearchBounds, StoreMatch } from '../../../contracts/store.ts';
import { rowLimit } from '../row-limit.ts';
import { matchColumns } from '../sql-rows.ts';
import { lengthWeight, type QueryWord, rarityOf, saturation } from '../words.ts';
import { chunkCondition, Values } from './filter.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { readChunk, readDocument, readMatch } from './rows.ts';
import { type ChunkTerms, chunkTerms, frequencySteps, quotedWord, textRecipe, wordOf } from './terms.ts';

/** Words in more chunks than this share of all are many: they lift what rarer words find, and find nothing alone. */
const manyShare = 0.1;
/** Rarer words have to find so many times what is asked for. */
const enough = 5;
/** Below this many chunks every word is looked up. */
const minChunks = 5_000;

/** Makes chunks findable; the numbers are those of their rows. */
export async function insertTerms(
  ask: Ask,
  { index }: Names,
  rows: readonly (ChunkTerms & { readonly chunk: number })[],
): Promise<void> {
  if (rows.length === 0) return;
  const counts = new Map<string, number>();
  for (const { words } of rows) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const listed = rows.map(({ chunk, length, vector }) => ({ chunk, length, terms: vector }));
  await ask(
    `WITH added AS (
       INSERT INTO ${index}.chunk_terms SELECT chunk, length, terms::tsvector
       FROM json_to_recordset($1::text::json) AS row (chunk bigint, length integer, terms text)
     ), counted AS (
       INSERT INTO ${index}.words SELECT * FROM unnest($2::text[], $3::integer[])
       ON CONFLICT (word) DO UPDATE SET chunks = words.chunks + excluded.chunks
     )
     UPDATE ${index}.state SET chunks = chunks + $4, words = words + $5`,
    [
      JSON.stringify(listed),
      [...counts.keys()],
      [...counts.values()],
      rows.length,
      rows.reduce((sum, { length }) => sum + length, 0),
    ],
  );
}

/** Makes chunks unfindable, and forgets words that no chunk holds any more. */
export async function removeTerms(ask: Ask, { index }: Names, chunks: readonly number[]): Promise<void> {
  if (chunks.length === 0) return;
  const unused = await ask(
    `WITH gone AS (DELETE FROM ${index}.chunk_terms WHERE chunk = ANY($1::bigint[]) RETURNING length, terms),
     counted AS (SELECT word, count(*) AS chunks FROM gone, unnest(tsvector_to_array(terms)) AS word GROUP BY word),
     totals AS (
       UPDATE ${index}.state SET chunks = chunks - cardinality($1::bigint[]),
         words = words - (SELECT coalesce(sum(length), 0) FROM gone)
     ),
     lowered AS (
       UPDATE ${index}.words w SET chunks = w.chunks - counted.chunks FROM counted WHERE w.word = counted.word
       RETURNING w.word, w.chunks
     )
     SELECT word FROM lowered WHERE chunks <= 0`,
    [chunks],
  );
  if (unused.length === 0) return;
  await ask(`DELETE FROM ${index}.words WHERE word = ANY($1::text[])`, [unused.map(({ word }) => word)]);
}

/** Best chunks by BM25 for any of the terms. */
export async function searchText(
  ask: Ask,
  names: Names,
  terms: readonly string[],
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const wanted = rowLimit(limit);
  const times = new Map<string, number>();
  for (const term of terms.map(wordOf)) if (!/[\0]/.test(term)) times.set(term, (times.get(term) ?? 0) + 1);
  if (times.size === 0 || wanted === 0) return [];
  // In one order always: the last digit of a sum depends on it.
  const rows = await ask(
    `SELECT s.chunks AS all_chunks, s.words AS all_words, w.word, w.chunks
     FROM ${names.index}.state s, ${names.index}.words w WHERE w.word = ANY($1::text[]) AND w.chunks > 0 ORDER BY w.word`,
    [[...times.keys()].map((word) => word.toWellFormed())],
  );
  const [first] = rows;
  if (!first) return [];
  const all = Number(first.all_chunks);
  const averageLength = Number(first.all_words) / Math.max(1, all);
  const known = rows.map(({ word, chunks }): QueryWord => {
    const name = String(word);
    return { word: name, times: times.get(name) ?? 1, chunks: Number(chunks) };
  });
  const values = new Values();
  const condition = filter ? chunkCondition(filter, values) : 'true';
  const found = `t.terms @@ ${values.add(expressionOf(known, all, filter ? undefined : wanted))}::tsquery`;
  const score = scoreOf(known, all, averageLength, values);
  const from = `${names.index}.chunk_terms t`;
  const joined = `${from} JOIN ${names.index}.chunks c ON c.number = t.chunk
    JOIN ${names.index}.documents d ON d.number = c.document`;
  const best = await ask(
    `WITH best AS MATERIALIZED (
       SELECT t.chunk, ${score} AS score FROM ${condition === 'true' ? from : joined}
       WHERE ${found} AND ${condition} ORDER BY score DESC, t.chunk LIMIT ${values.add(wanted)}
     )
     SELECT best.score, ${matchColumns} FROM best JOIN ${names.index}.chunks c ON c.number = best.chunk
     JOIN ${names.index}.documents d ON d.number = c.document ORDER BY best.score DESC, c.number`,
    values.all,
  );
  return best.map(readMatch);
}

/** BM25 of a row of `chunk_terms t`. */
function scoreOf(words: readonly QueryWord[], all: number, averageLength: number, values: Values): string {
  const steps = values.add(frequencySteps);
  const norm = `(${values.add(saturation)}::float8 * (1 - ${lengthWeight} + ${lengthWeight} * t.length / ${values.add(averageLength)}::float8))`;
  return words
    .map(({ word, times, chunks }) => {
      const positions = `width_bucket(ts_rank('{1,1,1,1}', t.terms, ${values.add(quotedWord(word))}::tsquery)::float8, ${steps}::float8[])`;
      // 2f - 1 positions stand for a frequency of f; a word that is not there has none.
      const frequency = `(nullif(${positions}, 0) + 1) / 2.0::float8`;
      return `coalesce(${values.add(times * rarityOf(chunks, all) * (saturation + 1))}::float8 / (1 + ${norm} / (${frequency})), 0)`;
    })
    .join(' + ');
}

/**
 * Which rows are looked at. Words in many chunks find nothing alone where the rarer ones find plenty, so that no search
 * goes through most of the index. `wanted` is undefined where a filter may leave too little of it.
 */
function expressionOf(words: readonly QueryWord[], all: number, wanted: number | undefined): string {
  const rare = words.filter(({ chunks }) => chunks <= manyShare * all);
  const finds = Math.max(0, ...rare.map(({ chunks }) => chunks));
  const isPlenty = wanted !== undefined && all >= minChunks && finds >= enough * wanted;
  return (isPlenty ? rare : words).map(({ word }) => quotedWord(word)).join(' | ');
}

const rowsAtOnce = 500;

/** Makes all words again where they were made by other rules; the caller holds the row of `state`. */
export async function renewTerms(ask: Ask, names: Names): Promise<void> {
  const { index } = names;
  const [state] = await ask(`SELECT text_recipe FROM ${index}.state`);
  if (state?.text_recipe === textRecipe()) return;
  await ask(`TRUNCATE ${index}.chunk_terms, ${index}.words`);
  await ask(`UPDATE ${index}.state SET chunks = 0, words = 0, text_recipe = $1`, [textRecipe()]);
  for (let last = 0; ; ) {
    const rows = await ask(
      `SELECT c.number, ${matchColumns} FROM ${index}.chunks c JOIN ${index}.documents d ON d.number = c.document
       WHERE c.number > $1 ORDER BY c.number LIMIT ${rowsAtOnce}`,
      [last],
    );
    if (rows.length === 0) return;
    await insertTerms(
      ask,
      names,
      rows.map((row) => ({ chunk: Number(row.number), ...chunkTerms(readChunk(row), readDocument(row)) })),
    );
    last = Number(rows.at(-1)?.number);
  }
}
