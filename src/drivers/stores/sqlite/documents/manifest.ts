import type { ManifestEntry } from '../../../../contracts/store.ts';
import { fileState } from '../../sql-rows.ts';
import type { Connection } from '../file/connection.ts';
import { readText, writeText } from '../layout/rows.ts';

/** Notes a path, in place of what was noted before. */
export function writeManifestEntry(connection: Connection, entry: ManifestEntry): void {
  connection.run(
    'INSERT OR REPLACE INTO manifest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    writeText(entry.uri),
    ...fileState(entry, writeText),
    entry.reason ?? null,
    entry.detail === undefined ? null : writeText(entry.detail),
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

/** Everything noted, by path. */
export function listManifest(connection: Connection): ManifestEntry[] {
  // Nearly all paths have the same recipe, which is long: it is handed over once and not with every row.
  const usual = connection.get("SELECT recipe FROM manifest WHERE status = 'indexed' LIMIT 1")?.recipe;
  const usualRecipe = readText(usual ?? '');
  const columns = 'uri, status, size, modified_at, content_hash, nullif(recipe, ?), chunks, reason, detail';
  return connection
    .tuples(`SELECT ${columns} FROM manifest ORDER BY uri`, writeText(usualRecipe))
    .map((row) => readManifestEntry(row, usualRecipe));
}

function readManifestEntry(row: readonly unknown[], usualRecipe: string): ManifestEntry {
  const [uri, status, size, modifiedAt, contentHash, recipe, chunks, reason, detail] = row;
  const entry = {
    uri: readText(uri),
    // The columns hold what this store wrote there itself.
    status: status as ManifestEntry['status'],
    size: Number(size),
    modifiedAt: Number(modifiedAt),
    contentHash: String(contentHash),
    recipe: recipe === null ? usualRecipe : readText(recipe),
    chunks: Number(chunks),
  };
  if (reason === null && detail === null) return entry;
  return {
    ...entry,
    ...(reason !== null && { reason: reason as NonNullable<ManifestEntry['reason']> }),
    ...(detail !== null && { detail: readText(detail) }),
  };
}

/** A fact by its name. */
export function readFact(connection: Connection, name: string): string | undefined {
  const row = connection.get('SELECT value FROM facts WHERE name = ?', writeText(name));
  return row && readText(row.value);
}

/** All facts by name. */
export function listFacts(connection: Connection): Map<string, string> {
  const rows = connection.all('SELECT name, value FROM facts');
  return new Map(rows.map(({ name, value }) => [readText(name), readText(value)]));
}

/** Remembers a fact, or forgets it where there is no value. */
export function writeFact(connection: Connection, name: string, value: string | undefined): void {
  if (value === undefined) connection.run('DELETE FROM facts WHERE name = ?', writeText(name));
  else connection.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', writeText(name), writeText(value));
}
