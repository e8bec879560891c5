import { type Fences, raisedFences } from '../../../../contracts/leases.ts';
import type { Changes, Committed } from '../../../../contracts/store.ts';
import type { Connection } from '../file/connection.ts';
import { insertText } from '../text/text-index.ts';
import { dropSpace } from '../vectors/dropped-spaces.ts';
import { insertVectors } from '../vectors/vectors.ts';
import { removeDocuments } from './documents.ts';
import { isManifestEntry, removeManifestEntries, writeFact, writeManifestEntry } from './manifest.ts';
import { replaceDocument } from './replace-document.ts';

/** Within the transaction of a commit, so that nobody takes over between the look and its end. */
function checkFences(connection: Connection, fences: Fences): void {
  const seen = connection.all('SELECT lease, fence FROM fences');
  const known = new Map(seen.map(({ lease, fence }) => [String(lease), Number(fence)]));
  for (const [lease, fence] of raisedFences(known, fences))
    connection.run('INSERT OR REPLACE INTO fences VALUES (?, ?)', lease, fence);
}

/** Makes all changes of a commit, within its transaction. */
export function applyChanges(
  connection: Connection,
  { removed = [], documents = [], manifest = [], vectors, facts, droppedSpaces = [], fences }: Changes,
): { readonly committed: Committed; readonly hasRemoved: boolean } {
  if (fences) checkFences(connection, fences);
  removeManifestEntries(connection, removed);
  const count = removed.length > 0 ? removeDocuments(connection, removed) : 0;
  let hasRemoved = removed.length + droppedSpaces.length > 0;
  const added: number[] = [];
  const stored = documents.map(({ document, chunks, manifest: entry, vectors: own, replaces }) => {
    if (replaces && !isManifestEntry(connection, replaces)) return false;
    if (entry) writeManifestEntry(connection, entry);
    const replaced = replaceDocument(connection, document, chunks);
    hasRemoved ||= replaced.hasReplaced;
    for (const number of replaced.added) added.push(number);
    for (const [space, entries] of own ?? []) insertVectors(connection, space, entries);
    return true;
  });
  // FTS5 writes down what it has in memory whenever it is given more by a later statement: so it is given all at once.
  if (added.length > 0) insertText(connection, added);
  for (const entry of manifest) writeManifestEntry(connection, entry);
  for (const [space, entries] of vectors ?? []) insertVectors(connection, space, entries);
  for (const [name, value] of facts ?? []) writeFact(connection, name, value);
  for (const space of droppedSpaces) dropSpace(connection, space);
  return { committed: { removed: count, stored }, hasRemoved };
}
