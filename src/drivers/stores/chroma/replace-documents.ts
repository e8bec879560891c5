import { isDeepStrictEqual } from 'node:util';
import type { ManifestEntry, VectorEntry } from '../../../contracts/store.ts';
import { QuarryError } from '../../../core/errors.ts';
import { givenVectors, type Replacement } from '../replacement.ts';
import type { NewRecord } from './collection.ts';
import { grace } from './garbage.ts';
import type { Commit, Opened } from './opened.ts';
import {
  chunkRecords,
  indexRecord,
  keyOf,
  manifestRecord,
  placeOf,
  readValue,
  type Space,
  type StoredDocument,
  spaceRecord,
  vectorRecord,
} from './rows.ts';
import { momentOf, nextMoment, stampOf } from './stamps.ts';
import { assertVectors, storedVectors } from './vectors.ts';
import type { View } from './view.ts';

/**
 * Replaces documents; one that is to replace a certain entry is alone. Chunks and vectors come first, under stamps that no
 * document names, and nobody sees them; then one call writes the documents with those stamps, their manifest entries, and
 * which chunks are to be removed later.
 */
export async function replaceDocuments(
  opened: Opened,
  view: View,
  commit: Commit,
  group: readonly Replacement[],
): Promise<boolean> {
  const began = performance.now();
  const replaces = group[0]?.replaces;
  if (replaces && !(await isEntry(opened, replaces))) return false;
  const given = givenVectors(group);
  for (const [name, entries] of given) assertVectors(view.spaces.get(name), entries);
  const drafts = group.map((put) => draftOf(put, view));
  const records = drafts.flatMap((draft) => draft.records);
  const made = await putVectors(opened, view, records, given);
  await opened.chunks.upsert(records);
  if (replaces && !(await isEntry(opened, replaces))) return false;
  // Others may remove what belongs to no document after a while: a writer that was paused for long starts again.
  if (performance.now() - began > grace / 3) throw tookTooLong(group);
  await commit((at) => [
    ...drafts.flatMap(({ stored, manifest }) => {
      const former = view.byId.get(stored.document.id);
      return [
        indexRecord(keyOf.document(stored.document.id), 'document', at, stored),
        ...(manifest ? [manifestRecord(manifest, at)] : []),
        ...(former ? [garbageRecord(former.stamp, at)] : []),
      ];
    }),
    ...made.map((space) => spaceRecord(space, at)),
  ]);
  return true;
}

/** A document as it will be stored, under a stamp of its own. */
function draftOf({ document, chunks, manifest }: Replacement, { revision }: View) {
  const end = chunks.reduce((most, { chunk }) => Math.max(most, chunk.ordinal + 1), 0);
  const stamp = stampOf(nextMoment(revision, end + 1));
  const records = chunkRecords(document, chunks, stamp);
  const stored: StoredDocument = {
    document,
    stamp,
    end,
    chunks: records.length,
    words: records.reduce((sum, { id }) => sum + placeOf(id).length, 0),
    bytes: records.reduce((sum, record) => sum + bytesOf(record), 0),
  };
  return { stored, manifest, records };
}

/** Gives new chunks the vectors that came with them, or that chunks with the same text have. Returns new spaces. */
async function putVectors(
  opened: Opened,
  view: View,
  records: readonly NewRecord[],
  given: ReadonlyMap<string, readonly VectorEntry[]>,
): Promise<Space[]> {
  const made: Space[] = [];
  for (const [name, entries] of given)
    if (!view.spaces.has(name)) made.push(await opened.makeSpace(name, entries[0]?.vector.length ?? 0));
  for (const space of [...view.spaces.values(), ...made]) {
    const known = new Map(given.get(space.name)?.map(({ embeddingKey, vector }) => [embeddingKey, vector]));
    const keys = records.map(({ metadata }) => String(metadata.key)).filter((key) => !known.has(key));
    const stored = made.includes(space) ? undefined : await storedVectors(opened, view, space, keys);
    const ofSpace = records.flatMap(({ id, metadata }) => {
      const vector = known.get(String(metadata.key)) ?? stored?.get(String(metadata.key));
      return vector ? [vectorRecord(id, metadata, vector, momentOf(placeOf(id).stamp))] : [];
    });
    if (ofSpace.length === 0) continue;
    await opened.vectors(space).upsert(ofSpace);
    opened.noteVectors(space, ofSpace);
  }
  return made;
}

/** Says that chunks with this stamp may be removed after a while. */
export function garbageRecord(stamp: string, at: number): NewRecord {
  const record = indexRecord(keyOf.garbage(stamp), 'garbage', at);
  return { ...record, metadata: { ...record.metadata, stamp } };
}

async function isEntry({ records }: Opened, entry: ManifestEntry): Promise<boolean> {
  const [found] = await records.get({ ids: [keyOf.manifest(entry.uri)], include: ['metadatas'] });
  return found?.metadata.kind === 'manifest' && isDeepStrictEqual(readValue<ManifestEntry>(found), entry);
}

function bytesOf({ metadata, document = '' }: NewRecord): number {
  let sum = Buffer.byteLength(document);
  for (const value of Object.values(metadata)) if (typeof value === 'string') sum += Buffer.byteLength(value);
  return sum;
}

function tookTooLong(group: readonly Replacement[]): QuarryError {
  const uris = group.map(({ document }) => document.uri).join(', ');
  return new QuarryError(
    'store-busy',
    `Storing ${uris} took so long that others may have taken its place.`,
    'Nothing of it was stored. Run the same command again.',
  );
}
