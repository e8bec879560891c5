import type { ManifestEntry } from '../../../contracts/store.ts';
import type { Connection } from './connection.ts';
import { readManifestEntry, readText, writeText } from './rows.ts';

/** Notes a path, in place of what was noted before. */
export function writeManifestEntry(connection: Connection, entry: ManifestEntry): void {
  connection.run(
    'INSERT OR REPLACE INTO manifest VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    writeText(entry.uri),
    entry.status,
    entry.size,
    entry.modifiedAt,
    entry.contentHash,
    writeText(entry.recipe),
    entry.chunks,
    entry.reason ?? null,
    entry.detail === undefined ? null : writeText(entry.detail),
  );
}

/** Forgets what was noted of these paths. */
export function removeManifestEntries(connection: Connection, uris: Iterable<string>): void {
  for (const uri of uris) connection.run('DELETE FROM manifest WHERE uri = ?', writeText(uri));
}

/** Everything noted, by path. */
export function listManifest(connection: Connection): ManifestEntry[] {
  return connection.all('SELECT * FROM manifest ORDER BY uri').map(readManifestEntry);
}

/** A fact by its name. */
export function readFact(connection: Connection, name: string): string | undefined {
  const row = connection.get('SELECT value FROM facts WHERE name = ?', writeText(name));
  return row && readText(row.value);
}

/** Remembers a fact, or forgets it where there is no value. */
export function writeFact(connection: Connection, name: string, value: string | undefined): void {
  if (value === undefined) connection.run('DELETE FROM facts WHERE name = ?', writeText(name));
  else connection.run('INSERT OR REPLACE INTO facts VALUES (?, ?)', writeText(name), writeText(value));
}
