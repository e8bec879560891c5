import type { Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { interrupted } from '../core/errors.ts';
import type { MigrationEvent } from '../core/events.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { isSameData } from './same-data.ts';

/** What two indexes that should be equal have in common, and where they differ. */
export interface Comparison {
  readonly documents: number;
  readonly chunks: number;
  readonly spaces: readonly SpaceSize[];
  /** Documents whose record, manifest entry or chunks differ, by uri. */
  readonly unlike: readonly string[];
  /** Counts that differ, each in words. */
  readonly miscounts: readonly string[];
}

/** How many chunks have a vector in a space. */
export interface SpaceSize {
  readonly space: string;
  readonly dimensions: number | undefined;
  readonly embedded: number;
}

/** Compares everything: counts, and each document with its manifest entry and all of its chunks. */
export async function* compareIndexes(
  source: Store,
  target: Store,
  signal?: AbortSignal,
): AsyncGenerator<MigrationEvent, Comparison> {
  const records = await source.documents();
  const there = new Map((await target.documents()).map((record) => [record.uri, record]));
  const [manifest, copiedManifest] = await Promise.all([manifestOf(source), manifestOf(target)]);
  const unlike: string[] = [];
  let chunks = 0;
  for (const [position, record] of records.entries()) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const { uri, id } = record;
    const [own, copied] = await Promise.all([chunksOf(source, id), chunksOf(target, id)]);
    chunks += own.length;
    const isAlike =
      isSameData(there.get(uri), record) &&
      isSameData(manifest.get(uri), copiedManifest.get(uri)) &&
      isSameText(own, copied);
    if (!isAlike) unlike.push(uri);
    yield { type: 'documents-compared', done: position + 1, total: records.length };
  }
  const spaces = await sizesOf(source);
  return {
    documents: records.length,
    chunks,
    spaces,
    unlike,
    miscounts: [
      ...different('documents', records.length, there.size),
      ...different('chunks', (await source.state()).chunks, (await target.state()).chunks),
      ...different('paths', manifest.size, copiedManifest.size),
      ...spaceMiscounts(spaces, await sizesOf(target)),
    ],
  };
}

/** Chunk by chunk, so that long documents need not be turned into plain data as a whole. */
function isSameText(own: readonly Chunk[], copied: readonly Chunk[]): boolean {
  return own.length === copied.length && own.every((chunk, index) => isSameData(chunk, copied[index]));
}

async function manifestOf(store: Store): Promise<Map<string, object>> {
  return new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
}

async function sizesOf(store: Store): Promise<SpaceSize[]> {
  const { spaces } = await store.state();
  // A space that has lost its last vector is as good as none.
  return [...spaces]
    .filter(([, { embedded }]) => embedded > 0)
    .map(([space, { embedded, dimensions }]) => ({ space, embedded, dimensions }));
}

function spaceMiscounts(own: readonly SpaceSize[], copied: readonly SpaceSize[]): string[] {
  return own.flatMap(({ space, dimensions, embedded }) => {
    const other = copied.find((size) => size.space === space);
    return [
      ...different(`chunks with vectors of ${space}`, embedded, other?.embedded ?? 0),
      ...different(`numbers in a vector of ${space}`, dimensions ?? 0, other?.dimensions ?? 0),
    ];
  });
}

function different(what: string, own: number, copied: number): string[] {
  return own === copied ? [] : [`${own} ${what} became ${copied}`];
}
