import type { SearchBounds, StoreMatch, TextPattern } from '../../../contracts/store.ts';
import { bestHolders, type Candidate, type Holder } from '../pattern-holders.ts';
import { rowLimit } from '../row-limit.ts';
import { matchColumns } from '../sql-rows.ts';
import { patternCounter } from '../text-pattern.ts';
import { chunkCondition, Values } from './filter.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { readMatch, readText, writeText } from './rows.ts';

const rowsAtOnce = 1000;

/**
 * Chunks whose text holds the pattern, those that hold it most often first. The server leaves out the texts in which a
 * literal does not stand; what a pattern means is decided here, as for every store.
 */
export async function searchPattern(
  ask: Ask,
  { index }: Names,
  pattern: TextPattern,
  { limit, filter = {} }: SearchBounds,
): Promise<StoreMatch[]> {
  const count = patternCounter(pattern);
  const max = rowLimit(limit);
  if (!count || max === 0) return [];
  const values = new Values();
  const last = values.add(0);
  const isPlain = !pattern.isRegex && !pattern.ignoreCase;
  const holds = isPlain ? `position(${values.add(writeText(pattern.text))} IN c.text) > 0` : 'true';
  const statement = `SELECT c.number, c.ordinal, c.text, d.uri FROM ${index}.chunks c
    JOIN ${index}.documents d ON d.number = c.document
    WHERE c.number > ${last} AND ${holds} AND ${chunkCondition(filter, values)}
    ORDER BY c.number LIMIT ${rowsAtOnce}`;
  async function* candidates(): AsyncGenerator<Candidate<number>[]> {
    for (let after = 0; ; ) {
      const rows = await ask(statement, [after, ...values.all.slice(1)]);
      yield rows.map((row) => ({
        reference: Number(row.number),
        uri: readText(row.uri),
        ordinal: Number(row.ordinal),
        text: readText(row.text),
      }));
      if (rows.length < rowsAtOnce) return;
      after = Number(rows.at(-1)?.number);
    }
  }
  return readHolders(ask, index, await bestHolders(count, candidates(), max));
}

async function readHolders(
  ask: Ask,
  index: string,
  holders: readonly Holder<number>[],
): Promise<StoreMatch[]> {
  const rows = await ask(
    `SELECT score, ${matchColumns} FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS found (number, score, rank)
     JOIN ${index}.chunks c USING (number) JOIN ${index}.documents d ON d.number = c.document ORDER BY rank`,
    [holders.map(({ reference }) => reference), holders.map(({ count }) => count)],
  );
  return rows.map(readMatch);
}
