import { isDeepStrictEqual } from 'node:util';
import type { ManifestEntry, PutOptions } from '../../../contracts/store.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { QuarryError } from '../../../core/errors.ts';
import type { Replacement } from '../replacement.ts';
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
import { nextMoment, stampOf } from './stamps.ts';
import { assertVectors, storedVectors } from './vectors.ts';
import type { View } from './view.ts';

/**
 * Replaces a document. Chunks and vectors come first, under a stamp that no document names, and nobody sees them; then one call
 * writes the document with that stamp, its manifest entry, and which chunks are to be removed later.
 */
export async function replaceDocument(
  opened: Opened,
  view: View,
  commit: Commit,
  { document, chunks, manifest, vectors, replaces }: Replacement,
): Promise<boolean> {
  const began = performance.now();
  if (replaces && !(await isEntry(opened, replaces))) return false;
  for (const [name, entries] of vectors ?? []) assertVectors(view.spaces.get(name), entries);
  const end = chunks.reduce((most, { chunk }) => Math.max(most, chunk.ordinal + 1), 0);
  const moment = nextMoment(view.revision, end + 1);
  const stamp = stampOf(moment);
  const records = chunkRecords(document, chunks, stamp);
  const made = await putVectors(opened, view, records, vectors ?? new Map(), moment);
  await opened.chunks.upsert(records);
  if (replaces && !(await isEntry(opened, replaces))) return false;
  // Others may remove what belongs to no document after a while: a writer that was paused for long starts again.
  if (performance.now() - began > grace / 3) throw tookTooLong(document);
  const stored: StoredDocument = {
    document,
    stamp,
    end,
    chunks: records.length,
    words: records.reduce((sum, { id }) => sum + placeOf(id).length, 0),
    bytes: records.reduce((sum, record) => sum + bytesOf(record), 0),
  };
  const former = view.byId.get(document.id);
  await commit((at) => [
    indexRecord(keyOf.document(document.id), 'document', at, stored),
    ...(manifest ? [manifestRecord(manifest, at)] : []),
    ...made.map((space) => spaceRecord(space, at)),
    ...(former ? [garbageRecord(former.stamp, at)] : []),
  ]);
  return true;
}

/** Gives new chunks the vectors that came with them, or that chunks with the same text have. Returns new spaces. */
async function putVectors(
  opened: Opened,
  view: View,
  records: readonly NewRecord[],
  given: NonNullable<PutOptions['vectors']>,
  at: number,
): Promise<Space[]> {
  const made: Space[] = [];
  for (const [name, entries] of given) {
    const [first] = entries;
    if (first && !view.spaces.has(name)) made.push(await opened.makeSpace(name, first.vector.length));
  }
  const keys = records.map(({ metadata }) => String(metadata.key));
  for (const space of [...view.spaces.values(), ...made]) {
    const known = made.includes(space) ? new Map() : await storedVectors(opened, view, space, keys);
    for (const { embeddingKey, vector } of given.get(space.name) ?? []) known.set(embeddingKey, vector);
    const ofSpace = records.flatMap(({ id, metadata }) => {
      const vector = known.get(String(metadata.key));
      return vector ? [vectorRecord(id, metadata, vector, at)] : [];
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

function tookTooLong({ uri }: DocumentRecord): QuarryError {
  return new QuarryError(
    'store-busy',
    `Storing ${uri} took so long that others may have taken its place.`,
    'Nothing of it was stored. Run the same command again.',
  );
}
