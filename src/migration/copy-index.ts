import type { ChunkEntry, ManifestEntry, Store, VectorEntry } from '../contracts/store.ts';
import { type Chunk, embeddedText } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { interrupted } from '../core/errors.ts';
import type { MigrationEvent } from '../core/events.ts';
import { embeddingKey } from '../core/identity.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { documentsAtOnce } from '../index/commit.ts';
import { addVectors, deletePaths, dropSpace, putDocument, putManifest, setFact } from '../index/write.ts';
import { copyRefusals, refusedFact } from '../indexing/refused-texts.ts';
import { mapInOrder } from '../platform/map-in-order.ts';
import { isSameData } from './same-data.ts';

/** The fact of a target whose copy is not complete: it names the project whose index is copied there. */
export const unfinishedFact = 'copy-unfinished';

/** Texts whose vectors travel at a time. */
const vectorsAtOnce = 512;
/** Chunks of a document whose vectors travel with it; those of a longer one follow, so that no step is too large. */
const maxWithVectors = 512;
/** Documents that are read at a time. */
const readsAtOnce = 4;
/** Bytes of files whose documents are on their way into the target at once; a larger one is alone. */
const bytesOfPuts = 8_000_000;
/** Paths that are written or removed at a time. */
const pathsAtOnce = 500;

/** What a copy came to, in documents; vectors of documents that were there already are counted as texts. */
export interface CopyCounts {
  readonly copied: number;
  /** Those that were in the target as they are in the source. */
  readonly present: number;
  /** Those of the target that the source does not have. */
  readonly removed: number;
  readonly addedVectors: number;
}

/** How an index is copied. */
export interface CopyOptions {
  readonly signal?: AbortSignal | undefined;
  /** Documents to copy even if they look the same, by uri. */
  readonly again?: ReadonlySet<string> | undefined;
}

/**
 * Makes the target equal to the source: documents, chunks, manifest, vectors of every space, and facts. What is there
 * already is not copied, so that a copy which was cut off continues where it ended. The source is only read.
 */
export async function* copyIndex(
  source: Store,
  target: Store,
  { signal, again }: CopyOptions = {},
): AsyncGenerator<MigrationEvent, CopyCounts> {
  const spaces = [...(await source.state()).spaces.keys()];
  await dropUnlike(source, target, spaces);
  const removed = await removeSurplus(source, target);

  const records = await source.documents();
  const manifest = byUri(await source.manifest());
  const known = byUri(await target.documents());
  const knownManifest = byUri(await target.manifest());
  const read = async (record: DocumentRecord): Promise<DocumentData | undefined> => {
    if (signal?.aborted) throw interrupted(signal.reason);
    const { uri } = record;
    const isPresent =
      !again?.has(uri) &&
      isSameData(known.get(uri), record) &&
      isSameContent(knownManifest.get(uri), manifest.get(uri));
    return isPresent ? undefined : readDocument(source, record, manifest.get(uri), spaces);
  };
  const put = async (data: DocumentData | undefined): Promise<number> => {
    if (!data) return 0;
    await putDocument(target, {
      document: data.record,
      chunks: data.entries,
      manifest: data.manifest,
      vectors: data.vectors,
    });
    if (data.manifest) knownManifest.set(data.record.uri, data.manifest);
    return 1;
  };
  const weighing = {
    max: bytesOfPuts,
    weightOf: (data: DocumentData | undefined) => data?.manifest?.size ?? 0,
  };
  let done = 0;
  let copied = 0;
  // They are put in the order of the source, since stores rank what is equal in the order in which it came.
  const ahead = mapInOrder(records.values(), readsAtOnce, read);
  for await (const count of mapInOrder(ahead, documentsAtOnce(target), put, weighing)) {
    copied += count;
    done += 1;
    yield { type: 'documents-copied', done, total: records.length };
  }

  // Files without a document, and those that were only touched since they were copied.
  const changed = [...manifest.values()].filter((entry) => !isSameData(knownManifest.get(entry.uri), entry));
  for (const page of pages(changed, pathsAtOnce)) await putManifest(target, page);

  let addedVectors = 0;
  for (const space of spaces) addedVectors += await copyMissingVectors(source, target, space, signal);
  await copyFacts(source, target);
  return { copied, present: records.length - copied, removed, addedVectors };
}

/** Whether the same content was read in the same way: when the file was written, or seen, may differ. */
function isSameContent(one: ManifestEntry | undefined, other: ManifestEntry | undefined): boolean {
  const { modifiedAt = 0 } = one ?? {};
  return isSameData(one, other && { ...other, modifiedAt });
}

/** The vectors that no chunk of the target has: those of long documents, and those made since a document was copied. */
async function copyMissingVectors(
  source: Store,
  target: Store,
  space: string,
  signal: AbortSignal | undefined,
): Promise<number> {
  let added = 0;
  for (let after = 0; ; ) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const missing = await target.missingVectors(space, vectorsAtOnce, after);
    const last = missing.at(-1);
    if (!last) return added;
    after = last.position;
    const vectors = await source.vectorsOf(
      space,
      missing.map((text) => text.embeddingKey),
    );
    if (vectors.length > 0) await addVectors(target, space, vectors);
    added += vectors.length;
  }
}

/** A document with what belongs to it. */
interface DocumentData {
  readonly record: DocumentRecord;
  readonly entries: readonly ChunkEntry[];
  readonly manifest: ManifestEntry | undefined;
  readonly vectors: ReadonlyMap<string, readonly VectorEntry[]>;
}

async function readDocument(
  source: Store,
  record: DocumentRecord,
  manifest: ManifestEntry | undefined,
  spaces: readonly string[],
): Promise<DocumentData> {
  const chunks = await chunksOf(source, record.id);
  const entries = chunks.map((chunk) => ({ chunk, embeddingKey: keyOf(chunk) }));
  const keys = entries.length > maxWithVectors ? [] : entries.map((entry) => entry.embeddingKey);
  const vectors = new Map<string, readonly VectorEntry[]>();
  for (const space of keys.length > 0 ? spaces : []) {
    const found = await source.vectorsOf(space, keys);
    if (found.length > 0) vectors.set(space, found);
  }
  return { record, entries, manifest, vectors };
}

/** Spaces of the target that cannot be those of the source; their vectors would never be asked for. */
async function dropUnlike(source: Store, target: Store, spaces: readonly string[]): Promise<void> {
  for (const space of [...(await target.state()).spaces.keys()]) {
    const isLike =
      spaces.includes(space) &&
      (await source.state()).spaces.get(space)?.dimensions ===
        (await target.state()).spaces.get(space)?.dimensions;
    if (!isLike) await dropSpace(target, space);
  }
}

/** Removes from the target what the source does not have. Returns how many documents that were. */
async function removeSurplus(source: Store, target: Store): Promise<number> {
  const wanted = new Set([...(await source.paths()), ...(await source.manifest()).map(({ uri }) => uri)]);
  const there = new Set([...(await target.paths()), ...(await target.manifest()).map(({ uri }) => uri)]);
  const surplus = [...there].filter((uri) => !wanted.has(uri));
  let removed = 0;
  for (const page of pages(surplus, pathsAtOnce)) removed += await deletePaths(target, page);
  return removed;
}

async function copyFacts(source: Store, target: Store): Promise<void> {
  const facts = (await source.state()).facts;
  const there = (await target.state()).facts;
  for (const name of there.keys())
    if (!facts.has(name) && name !== unfinishedFact) await setFact(target, name, undefined);
  for (const [name, value] of facts) if (there.get(name) !== value) await setFact(target, name, value);
  if (facts.has(refusedFact)) await copyRefusals(source, target);
}

/** The key of a chunk's vector. */
export function keyOf(chunk: Chunk): string {
  return embeddingKey(embeddedText(chunk));
}

function byUri<Item extends { readonly uri: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.uri, item]));
}

function* pages<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
