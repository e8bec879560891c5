import type { Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { expectedSchema } from '../layout/schema.ts';
import { type Finding, type Inspection, structureFinding, textFinding } from './finding.ts';

/** The file as SQLite sees it: pages, indexes, references, and the layout. */
export function* inspectStructure(connection: Connection): Inspection {
  for (const row of connection.all('PRAGMA integrity_check')) {
    const detail = String(row.integrity_check);
    if (detail !== 'ok') yield integrityFinding(detail);
  }
  yield undefined;
  yield* inspectSchema(connection);
  yield* inspectSingleRows(connection);
}

// SQLite asks FTS5 too, which judges its own structure: that one can be rebuilt from the chunks.
function integrityFinding(detail: string): Finding {
  return /FTS5/.test(detail) ? textFinding(`${detail}.`) : structureFinding(`${detail}.`);
}

function* inspectSchema(connection: Connection): Inspection {
  const found = new Map(connection.all('SELECT name, sql FROM sqlite_schema').map(nameAndSql));
  for (const [name, sql] of expectedSchema()) {
    if (!found.has(name)) yield structureFinding(`The table or index ${name} is missing.`);
    else if (found.get(name) !== sql)
      yield structureFinding(`The table or index ${name} has another layout.`);
  }
}

function* inspectSingleRows(connection: Connection): Inspection {
  for (const table of ['revision', 'text_upkeep']) {
    const rows = Number(connection.get(`SELECT count(*) AS count FROM ${table}`)?.count);
    if (rows !== 1) yield structureFinding(`The table ${table} has ${rows} rows where one is expected.`);
  }
}

function nameAndSql({ name, sql }: Row): [string, unknown] {
  return [String(name), sql];
}
