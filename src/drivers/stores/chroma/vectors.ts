import type {
  ChunkVector,
  MissingVector,
  SearchBounds,
  StoreMatch,
  VectorEntry,
} from '../../../contracts/store.ts';
import { type Chunk, embeddedText } from '../../../core/chunk.ts';
import { assertVector } from '../admission.ts';
import type { FoundRecord, NewRecord } from './collection.ts';
import { chunkFilter, rowLimit } from './filter.ts';
import { matchesOf } from './matches.ts';
import type { Opened } from './opened.ts';
import { placeOf, positionOf, readValue, type Space, type StoredDocument, vectorRecord } from './rows.ts';
import { nextMoment } from './stamps.ts';
import type { View } from './view.ts';

/** Keys in one condition. */
const keysAtOnce = 1_000;
/** Documents whose vectors are read at once. */
const documentsAtOnce = 20;

/** Throws where a vector does not fit; the first one fixes the length of a new space. */
export function assertVectors(space: Space | undefined, entries: readonly VectorEntry[]): void {
  const dimensions = space?.dimensions ?? entries[0]?.vector.length ?? 0;
  for (const { vector } of entries) assertVector(vector, dimensions);
}

/** Nearest chunks by cosine. What no document names any more is among what Chroma finds, so that it may be asked for more. */
export async function searchVector(
  opened: Opened,
  view: View,
  space: Space,
  vector: Float32Array,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  assertVector(vector, space.dimensions);
  const admitted = chunkFilter(filter, view);
  const wanted = Math.min(rowLimit(limit), view.chunks);
  if (!admitted || wanted === 0) return [];
  for (let most = 2 * wanted + 50; ; most *= 4) {
    const near = await opened.vectors(space).nearest(vector, most, admitted.where);
    const found = near.filter(({ id }) => admitted.admits(placeOf(id).stamp));
    if (found.length < wanted && near.length === most) continue;
    const best = found
      .map(({ id, distance }) => ({ id, score: 1 - distance, position: positionOf(placeOf(id)) }))
      .sort((one, other) => other.score - one.score || one.position - other.position)
      .slice(0, wanted);
    return matchesOf(opened, view, best);
  }
}

/** The records that give all chunks with these keys their vectors. */
export async function vectorRecords(
  { chunks }: Opened,
  view: View,
  entries: readonly VectorEntry[],
): Promise<NewRecord[]> {
  const at = nextMoment(view.revision);
  const latest = new Map(entries.map(({ embeddingKey, vector }) => [embeddingKey, vector]));
  const records: NewRecord[] = [];
  for (const keys of parts([...latest.keys()])) {
    const found = await chunks.get({ where: { key: { $in: keys } }, include: ['metadatas'] });
    for (const { id, metadata } of found) {
      const vector = latest.get(String(metadata.key));
      if (vector && view.byStamp.has(placeOf(id).stamp)) records.push(vectorRecord(id, metadata, vector, at));
    }
  }
  return records;
}

/** The vectors of those of the keys that a chunk of the index has one for. */
export async function storedVectors(
  opened: Opened,
  view: View,
  space: Space,
  keys: readonly string[],
): Promise<Map<string, Float32Array>> {
  const known = new Map<string, Float32Array>();
  for (const part of parts([...new Set(keys)])) {
    const found = await selected(opened, view, space, part, ['metadatas', 'embeddings']);
    for (const { metadata, embedding } of found)
      known.set(String(metadata.key), Float32Array.from(embedding));
  }
  return known;
}

export async function findKeysWithVector(
  opened: Opened,
  view: View,
  space: Space,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const part of parts([...new Set(keys)]))
    for (const { metadata } of await selected(opened, view, space, part, ['metadatas']))
      known.add(String(metadata.key));
  return new Set(keys.filter((key) => known.has(key)));
}

async function selected(
  { vectors }: Opened,
  view: View,
  space: Space,
  keys: readonly string[],
  include: readonly ('metadatas' | 'embeddings')[],
): Promise<FoundRecord[]> {
  const found = await vectors(space).get({ where: { key: { $in: keys } }, include });
  return found.filter(({ id }) => view.byStamp.has(placeOf(id).stamp));
}

/** Distinct texts without a vector; each stands where the first chunk that holds it does. */
export async function findMissingVectors(
  opened: Opened,
  view: View,
  space: Space | undefined,
  limit: number,
  after: number,
): Promise<MissingVector[]> {
  if (limit <= 0) return [];
  const embedded = space && (await opened.embedded(space, view));
  const lacking = view
    .inOrder()
    .filter((stored) => (embedded?.of(stored) ?? 0) < stored.chunks && endOf(stored) > after);
  const missing = new Map<string, MissingVector>();
  for (let start = 0; start < lacking.length && missing.size < limit; start += documentsAtOnce) {
    const stamps = lacking.slice(start, start + documentsAtOnce).map(({ stamp }) => stamp);
    const found = await chunksOfStamps(opened, stamps);
    const candidates = found.filter(({ id }) => {
      const place = placeOf(id);
      return positionOf(place) > after && !embedded?.has(place.stamp, place.ordinal);
    });
    const first = await firstPositions(opened, view, candidates);
    for (const record of candidates) {
      const embeddingKey = String(record.metadata.key);
      const position = positionOf(placeOf(record.id));
      if (missing.size === limit || missing.has(embeddingKey) || first.get(embeddingKey) !== position)
        continue;
      missing.set(embeddingKey, { embeddingKey, text: embeddedText(readValue<Chunk>(record)), position });
    }
  }
  return [...missing.values()];
}

/** Behind the position of the last chunk of a document. */
function endOf({ stamp, end }: StoredDocument): number {
  return positionOf({ stamp, ordinal: end, length: 0 });
}

/** The chunks of documents, in the order in which they came. */
async function chunksOfStamps({ chunks }: Opened, stamps: readonly string[]): Promise<FoundRecord[]> {
  const found = await chunks.get({ where: { stamp: { $in: stamps } }, include: ['metadatas'] });
  return found.sort((one, other) => positionOf(placeOf(one.id)) - positionOf(placeOf(other.id)));
}

/** Where the texts of these chunks stand for the first time. */
async function firstPositions(
  { chunks }: Opened,
  view: View,
  candidates: readonly FoundRecord[],
): Promise<ReadonlyMap<string, number>> {
  const first = new Map<string, number>();
  const keys = [...new Set(candidates.map(({ metadata }) => String(metadata.key)))];
  for (const part of parts(keys)) {
    const found = await chunks.get({ where: { key: { $in: part } }, include: ['metadatas'] });
    for (const { id, metadata } of found) {
      const key = String(metadata.key);
      const position = positionOf(placeOf(id));
      if (view.byStamp.has(placeOf(id).stamp)) first.set(key, Math.min(first.get(key) ?? position, position));
    }
  }
  return first;
}

/** Chunks with their vectors, in the order in which they came. */
export async function* readChunkVectors(
  opened: Opened,
  view: View,
  space: Space,
  limit: number,
): AsyncGenerator<ChunkVector> {
  const embedded = await opened.embedded(space, view);
  const present = view.inOrder().filter((stored) => embedded.of(stored) > 0);
  let left = limit;
  for (let start = 0; start < present.length; start += documentsAtOnce) {
    const stamps = present.slice(start, start + documentsAtOnce).map(({ stamp }) => stamp);
    const where = { stamp: { $in: stamps } };
    const found = await opened.vectors(space).get({ where, include: ['embeddings'] });
    const vectors = new Map(found.map(({ id, embedding }) => [id, Float32Array.from(embedding)]));
    for (const record of await chunksOfStamps(opened, stamps)) {
      const vector = vectors.get(record.id);
      const stored = view.byStamp.get(placeOf(record.id).stamp);
      if (!vector || !stored) continue;
      if (left <= 0) return;
      left -= 1;
      const { id, place } = readValue<Chunk>(record);
      const { uri, type, modifiedAt } = stored.document;
      yield { id, place, uri, type, modifiedAt, vector: unit(vector) };
    }
  }
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function* parts(keys: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < keys.length; start += keysAtOnce) yield keys.slice(start, start + keysAtOnce);
}
