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
  // What is there was compared when the file was opened.
  const found = connection.all("SELECT type || ' ' || name AS name FROM sqlite_schema");
  const names = new Set(found.map(({ name }) => String(name)));
  for (const name of expectedSchema().keys())
    if (!names.has(name)) yield structureFinding(`The ${name} is missing.`);
}

function* inspectSingleRows(connection: Connection): Inspection {
  for (const table of ['revision', 'text_upkeep']) {
    const rows = Number(connection.get(`SELECT count(*) AS count FROM ${table}`)?.count);
    if (rows !== 1) yield structureFinding(`The table ${table} has ${rows} rows where one is expected.`);
  }
}
