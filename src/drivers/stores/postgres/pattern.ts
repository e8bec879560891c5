import type { SearchBounds, StoreMatch, TextPattern } from '../../../contracts/store.ts';
import { systemClock } from '../../../platform/clock.ts';
import { matchColumns } from '../sql-rows.ts';
import { patternCounter } from '../text-pattern.ts';
import { chunkCondition, Values } from './filter.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { readMatch, readText, rowLimit, writeText } from './rows.ts';

const rowsAtOnce = 1000;

/** A chunk that holds the pattern. */
interface Find {
  readonly number: number;
  readonly uri: string;
  readonly ordinal: number;
  readonly count: number;
}

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
  const most = rowLimit(limit);
  if (!count || most === 0) return [];
  const values = new Values();
  const last = values.add(0);
  const isPlain = !pattern.isRegex && !pattern.ignoreCase;
  const holds = isPlain ? `position(${values.add(writeText(pattern.text))} IN c.text) > 0` : 'true';
  const statement = `SELECT c.number, c.ordinal, c.text, d.uri FROM ${index}.chunks c
    JOIN ${index}.documents d ON d.number = c.document
    WHERE c.number > ${last} AND ${holds} AND ${chunkCondition(filter, values)}
    ORDER BY c.number LIMIT ${rowsAtOnce}`;
  let best: Find[] = [];
  for (let after = 0; ; ) {
    const rows = await ask(statement, [after, ...values.all.slice(1)]);
    const turns = count(rows.map(({ text }) => readText(text)));
    let turn = turns.next();
    for (; !turn.done; turn = turns.next()) await systemClock.wait(0);
    for (const [place, row] of rows.entries()) {
      const occurrences = turn.value[place] ?? 0;
      if (occurrences === 0) continue;
      const { number, ordinal, uri } = row;
      best.push({ number: Number(number), ordinal: Number(ordinal), uri: readText(uri), count: occurrences });
    }
    if (best.length > 2 * most + rowsAtOnce) best = best.sort(compareFinds).slice(0, most);
    if (rows.length < rowsAtOnce) break;
    after = Number(rows.at(-1)?.number);
  }
  return readFinds(ask, index, best.sort(compareFinds).slice(0, most));
}

function compareFinds(one: Find, other: Find): number {
  if (one.count !== other.count) return other.count - one.count;
  if (one.uri !== other.uri) return one.uri < other.uri ? -1 : 1;
  return one.ordinal - other.ordinal;
}

async function readFinds(ask: Ask, index: string, finds: readonly Find[]): Promise<StoreMatch[]> {
  const rows = await ask(
    `SELECT score, ${matchColumns} FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS found (number, score, rank)
     JOIN ${index}.chunks c USING (number) JOIN ${index}.documents d ON d.number = c.document ORDER BY rank`,
    [finds.map(({ number }) => number), finds.map(({ count }) => count)],
  );
  return rows.map(readMatch);
}
