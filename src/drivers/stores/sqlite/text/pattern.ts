import type { SQLInputValue } from 'node:sqlite';
import type { SearchBounds, StoreMatch, TextPattern } from '../../../../contracts/store.ts';
import { terms } from '../../../../core/text/terms.ts';
import { systemClock } from '../../../../platform/clock.ts';
import { BestHolders, type Holder } from '../../pattern-holders.ts';
import { rowLimit } from '../../row-limit.ts';
import { type PatternCounter, patternCounter } from '../../text-pattern.ts';
import type { Connection } from '../file/connection.ts';
import { storeFailure } from '../file/failures.ts';
import { chunkCondition } from '../layout/filter.ts';
import { provenMatch, readMatch, readText } from '../layout/rows.ts';

/** Chunks of one batch, which takes some milliseconds; and what their texts may be together, in UTF-16 units. */
const batchRows = 1_000;
const batchLength = 2 ** 20;
/** More words than these would not narrow a search any further. */
const maxWords = 4;

/** A chunk that may hold the pattern. */
interface CandidateRow {
  readonly number: number;
  readonly document: number;
  readonly ordinal: number;
  readonly text: string;
}

/** The work of a search, step by step: other work of the process may run in between. */
type SearchSteps = Generator<void, StoreMatch[], void>;

/** Chunks whose text holds the pattern, those that hold it most often first; all of one state of the file. */
export async function searchPattern(
  connection: Connection,
  pattern: TextPattern,
  bounds: SearchBounds,
): Promise<StoreMatch[]> {
  const count = patternCounter(pattern);
  const steps = (own: Connection) => search(own, pattern, count, bounds);
  const found = await connection.read(() => inOneStep(steps(connection)));
  if (found) return found;
  // A connection of its own: it keeps one state in sight for many steps, while this one continues to serve.
  const own = connection.sibling();
  if (!own) return connection.read(() => atOnce(steps(connection)));
  try {
    own.hold();
    return await inSteps(steps(own));
  } catch (error) {
    throw storeFailure(error, connection.path);
  } finally {
    own.close();
  }
}

/**
 * The words that stand complete in every text that holds the pattern, as terms of the text index; few, and the longest
 * ones. Words are cut at ASCII characters alone, which are the same in every form of Unicode: what stands between two
 * of them gives the same terms by itself as it does within a text. What touches an end of the literal may continue there.
 */
export function certainTerms({ text, isRegex, ignoreCase }: TextPattern): string[] {
  if (isRegex) return [];
  // Beyond ASCII, letters that are equal but for their case may give different terms.
  if (ignoreCase && /[^\0-\x7f]/.test(text)) return [];
  const complete = text.split(/[\0-#%-/:-@[-^`{-\x7f]/).slice(1, -1);
  // The first one is the word as a whole, the others are its parts: these hang on its capitals.
  const words = new Set(complete.flatMap((word) => terms(word).slice(0, 1)));
  return [...words].sort((one, other) => other.length - one.length).slice(0, maxWords);
}

function* search(
  connection: Connection,
  pattern: TextPattern,
  count: PatternCounter | undefined,
  bounds: SearchBounds,
): SearchSteps {
  const max = rowLimit(bounds.limit);
  if (!count || max === 0) return [];
  const uris = new Map<number, string>();
  const best = new BestHolders<number>(max);
  for (const candidates of candidateBatches(connection, pattern, bounds)) {
    const counts = yield* count(candidates.map(({ text }) => text));
    for (const [index, { number, document, ordinal }] of candidates.entries()) {
      const occurrences = counts[index] ?? 0;
      if (occurrences === 0) continue;
      const uri = uris.get(document) ?? findUri(connection, document);
      uris.set(document, uri);
      best.add({ reference: number, uri, ordinal, count: occurrences });
    }
    yield;
  }
  return readHolders(connection, best.all());
}

/** The chunks that may hold the pattern, in batches. */
function* candidateBatches(
  connection: Connection,
  pattern: TextPattern,
  bounds: SearchBounds,
): Generator<CandidateRow[]> {
  const { sql, parameters } = candidateStatement(pattern, bounds);
  let candidates: CandidateRow[] = [];
  let length = 0;
  for (const row of connection.each(sql, ...parameters)) {
    const text = readText(row.text);
    candidates.push({
      number: Number(row.number),
      document: Number(row.document),
      ordinal: Number(row.ordinal),
      text,
    });
    length += text.length;
    if (candidates.length < batchRows && length < batchLength) continue;
    yield candidates;
    candidates = [];
    length = 0;
  }
  if (candidates.length > 0) yield candidates;
}

// Every chunk gives a row, so that a search that finds nothing for long still has steps. `instr` in such a row takes
// longer than handing its text over, so that literals too are compared outside SQL.
function candidateStatement(
  pattern: TextPattern,
  { filter }: SearchBounds,
): { sql: string; parameters: readonly SQLInputValue[] } {
  const columns = 'c.number, c.document, c.ordinal, c.text';
  const words = certainTerms(pattern);
  const { sql, parameters } = chunkCondition(filter);
  if (words.length === 0) {
    return { sql: `SELECT ${columns} FROM chunks c ${sql === '' ? '' : `WHERE ${sql}`}`, parameters };
  }
  const expression = `body : (${words.map((word) => `"${word}"`).join(' AND ')})`;
  return {
    // CROSS JOIN fixes the order: from the matching terms to their chunks, never the other way round.
    sql: `SELECT ${columns} FROM chunk_terms CROSS JOIN chunks c ON c.number = chunk_terms.rowid
      WHERE chunk_terms MATCH ? ${sql === '' ? '' : `AND ${sql}`}`,
    parameters: [expression, ...parameters],
  };
}

function findUri(connection: Connection, document: number): string {
  return readText(connection.get('SELECT uri FROM documents WHERE number = ?', document)?.uri);
}

function readHolders(connection: Connection, holders: readonly Holder<number>[]): StoreMatch[] {
  const counts = new Map(holders.map(({ reference, count }) => [reference, count]));
  return connection
    .all(
      `SELECT c.number, ${provenMatch} FROM json_each(?) wanted CROSS JOIN chunks c ON c.number = wanted.value
       JOIN documents d ON d.number = c.document ORDER BY wanted.key`,
      JSON.stringify([...counts.keys()]),
    )
    .map((row) => readMatch(connection.proof, row, counts.get(Number(row.number)) ?? 0));
}

/** The matches, or undefined where one step is not enough. */
function inOneStep(steps: SearchSteps): StoreMatch[] | undefined {
  for (let step = 0; step < 2; step += 1) {
    const { done, value } = steps.next();
    if (done) return value;
  }
  steps.return([]);
  return undefined;
}

function atOnce(steps: SearchSteps): StoreMatch[] {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

async function inSteps(steps: SearchSteps): Promise<StoreMatch[]> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await systemClock.wait(0);
  }
}
