import type { ManifestEntry } from '../../../../contracts/store.ts';
import { fileState, type Row } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { foreignRow } from '../layout/foreign.ts';
import { readText, writeText } from '../layout/rows.ts';

/** Notes a path, in place of what was noted before. */
export function writeManifestEntry(connection: Connection, entry: ManifestEntry): void {
  const values = [
    writeText(entry.uri),
    ...fileState(entry, writeText),
    entry.reason ?? null,
    entry.detail === undefined ? null : writeText(entry.detail),
  ];
  connection.run(
    'INSERT OR REPLACE INTO manifest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...values,
    connection.proof.of('manifest', values),
  );
}

/** Whether this is what is noted of the path. */
export function isManifestEntry(connection: Connection, entry: ManifestEntry): boolean {
  const row = connection.get(
    `SELECT 1 FROM manifest WHERE uri = ? AND status = ? AND size = ? AND modified_at = ? AND content_hash = ?
     AND recipe = ? AND chunks = ?`,
    writeText(entry.uri),
    ...fileState(entry, writeText),
  );
  return row !== undefined;
}

/** Forgets what was noted of these paths. */
export function removeManifestEntries(connection: Connection, uris: Iterable<string>): void {
  for (const uri of uris) connection.run('DELETE FROM manifest WHERE uri = ?', writeText(uri));
}

/** Everything noted, by path; an entry that this user did not write is an error, unless all were looked at before. */
export function listManifest(connection: Connection, isChecked = false): ManifestEntry[] {
  // Nearly all paths have the same recipe, which is long: it is handed over once and not with every row.
  const common = connection.get("SELECT recipe FROM manifest WHERE status = 'indexed' LIMIT 1")?.recipe ?? '';
  const columns = manifestColumns.replace('recipe', 'nullif(recipe, ?)');
  return connection
    .tuples(`SELECT ${columns} FROM manifest ORDER BY uri`, writeText(readText(common)))
    .map((row) => {
      if (row[recipeColumn] === null) row[recipeColumn] = common;
      if (!isChecked && !isOwnEntry(connection, row)) throw foreignRow();
      return readManifestEntry(row);
    });
}

/** The columns of an entry, its proof last. */
export const manifestColumns =
  'uri, status, size, modified_at, content_hash, recipe, chunks, reason, detail, proof';
const recipeColumn = 5;

/** Whether this user wrote an entry, given with `manifestColumns`. */
export function isOwnEntry(connection: Connection, row: readonly unknown[]): boolean {
  return connection.proof.holds(row.at(-1), 'manifest', row.slice(0, -1));
}

/** The entry in a row with `manifestColumns`. */
export function readManifestEntry(row: readonly unknown[]): ManifestEntry {
  const [uri, status, size, modifiedAt, contentHash, recipe, chunks, reason, detail] = row;
  const entry = {
    uri: readText(uri),
    // The columns hold what this store wrote there itself.
    status: status as ManifestEntry['status'],
    size: Number(size),
    modifiedAt: Number(modifiedAt),
    contentHash: String(contentHash),
    recipe: readText(recipe),
    chunks: Number(chunks),
  };
  if (reason === null && detail === null) return entry;
  return {
    ...entry,
    ...(reason !== null && { reason: reason as NonNullable<ManifestEntry['reason']> }),
    ...(detail !== null && { detail: readText(detail) }),
  };
}

/** All facts by name. */
export function listFacts(connection: Connection): Map<string, string> {
  const rows = connection.all('SELECT name, value, proof FROM facts');
  return new Map(rows.map((row) => factOf(connection, row)));
}

function factOf(connection: Connection, row: Row): [name: string, value: string] {
  if (!isOwnFact(connection, row)) throw foreignRow();
  return [readText(row.name), readText(row.value)];
}

/** Whether this user wrote a row of `facts`. */
export function isOwnFact(connection: Connection, { name, value, proof }: Row): boolean {
  return connection.proof.holds(proof, 'fact', [name, value]);
}

/** Remembers a fact, or forgets it where there is no value. */
export function writeFact(connection: Connection, name: string, value: string | undefined): void {
  const key = writeText(name);
  if (value === undefined) {
    connection.run('DELETE FROM facts WHERE name = ?', key);
    return;
  }
  const values = [key, writeText(value)];
  connection.run(
    'INSERT OR REPLACE INTO facts VALUES (?, ?, ?)',
    ...values,
    connection.proof.of('fact', values),
  );
}
