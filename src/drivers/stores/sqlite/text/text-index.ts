import type { SearchBounds, StoreMatch } from '../../../../contracts/store.ts';
import { rowLimit } from '../../row-limit.ts';
import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { chunkCondition } from '../layout/filter.ts';
import { provenMatch, readMatch } from '../layout/rows.ts';
import { fillTextTable, wordColumns } from '../layout/text-table.ts';
import { planSearch } from './choose-words.ts';
import { expressionOf, type WordChoice } from './expression.ts';
import { prepareRemoval } from './text-upkeep.ts';

// A word counts more where an author names something than where it is merely used: body, heading, path, symbol.
const columnWeights = '1.0, 1.5, 1.5, 3.0';

/** Makes the chunks with these numbers findable by their terms. */
export function insertText(connection: Connection, numbers: readonly number[]): void {
  connection.run(
    `${fillTextTable('chunk_terms')} WHERE c.number IN (SELECT value FROM json_each(?))`,
    JSON.stringify(numbers),
  );
}

/**
 * Makes the chunks of this JSON list of numbers unfindable. They and their documents must still stand as they were
 * put: FTS5 is given again what it has to forget.
 */
export function removeText(connection: Connection, numbers: string): void {
  const count = Number(connection.get('SELECT json_array_length(?) AS count', numbers)?.count);
  if (count === 0) return;
  prepareRemoval(connection, count);
  connection.run(
    `INSERT INTO chunk_terms (chunk_terms, rowid, body, heading, path, symbol)
     SELECT 'delete', ${wordColumns} WHERE c.number IN (SELECT value FROM json_each(?))`,
    numbers,
  );
}

/** Best chunks by BM25 for any of the terms. */
export function searchText(
  connection: Connection,
  words: readonly string[],
  bounds: SearchBounds,
): StoreMatch[] {
  const wanted = rowLimit(bounds.limit);
  const terms = words.map((word) => word.replaceAll('\0', ' ').trim()).filter((word) => word !== '');
  if (terms.length === 0 || wanted === 0) return [];
  const plan = planSearch(connection, terms, wanted, bounds.filter !== undefined);
  const search = (choice: WordChoice) => bestRows(connection, choice, bounds);
  const first = plan.first && search(plan.first);
  const min = first && first.length >= wanted ? Number(first.at(-1)?.score) : undefined;
  const next = min === undefined ? plan.whole : plan.next(min);
  const rows = next ? search(next) : (first ?? []);
  return rows.map((row) => readMatch(connection.proof, row, Number(row.score)));
}

function bestRows(connection: Connection, choice: WordChoice, { limit, filter }: SearchBounds): Row[] {
  const { match, factor } = expressionOf(choice);
  const condition = chunkCondition(filter);
  // CROSS JOIN fixes the order: from the matching terms to their chunks, never the other way round.
  const join = condition.sql === '' ? '' : 'CROSS JOIN chunks c ON c.number = chunk_terms.rowid';
  const where = condition.sql === '' ? '' : `AND ${condition.sql}`;
  return connection.all(
    `WITH best AS MATERIALIZED (
       SELECT chunk_terms.rowid AS number, -bm25(chunk_terms, ${columnWeights}) / ${factor} AS score
       FROM chunk_terms ${join} WHERE chunk_terms MATCH ? ${where} ORDER BY score DESC, 1 LIMIT ?
     )
     SELECT best.score, ${provenMatch} FROM best
     JOIN chunks c ON c.number = best.number JOIN documents d ON d.number = c.document
     ORDER BY best.score DESC, best.number`,
    match,
    ...condition.parameters,
    rowLimit(limit),
  );
}
