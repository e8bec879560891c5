import type { Changes, Committed } from '../../../contracts/store.ts';
import {
  isManifestEntry,
  removeDocuments,
  removeManifest,
  replaceDocument,
  writeManifest,
} from './documents.ts';
import type { Names } from './names.ts';
import type { Ask } from './pool.ts';
import { writeText } from './rows.ts';
import { dropSpace, insertVectors } from './vectors.ts';

/** Makes all changes of a commit, within its transaction. */
export async function applyChanges(ask: Ask, names: Names, changes: Changes): Promise<Committed> {
  const { removed = [], documents = [], manifest = [], vectors, facts, droppedSpaces = [] } = changes;
  let count = 0;
  if (removed.length > 0) {
    await removeManifest(ask, names, removed);
    count = await removeDocuments(ask, names, removed);
  }
  const stored: boolean[] = [];
  for (const { document, chunks, manifest: entry, vectors: own, replaces } of documents) {
    const isTaken = !replaces || (await isManifestEntry(ask, names, replaces));
    stored.push(isTaken);
    if (!isTaken) continue;
    if (entry) await writeManifest(ask, names, [entry]);
    await replaceDocument(ask, names, document, chunks);
    for (const [space, entries] of own ?? []) await insertVectors(ask, names, space, entries);
  }
  await writeManifest(ask, names, manifest);
  for (const [space, entries] of vectors ?? []) await insertVectors(ask, names, space, entries);
  for (const [name, value] of facts ?? []) await writeFact(ask, names, name, value);
  for (const space of droppedSpaces) await dropSpace(ask, names, space);
  return { removed: count, stored };
}

async function writeFact(ask: Ask, { index }: Names, name: string, value: string | undefined): Promise<void> {
  if (value === undefined) await ask(`DELETE FROM ${index}.facts WHERE name = $1`, [writeText(name)]);
  else
    await ask(
      `INSERT INTO ${index}.facts VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [writeText(name), writeText(value)],
    );
}
