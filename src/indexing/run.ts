import type { Embedder } from '../contracts/embedder.ts';
import type { Source, SourceFile } from '../contracts/source.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import { interrupted, messageOf } from '../core/errors.ts';
import type { IndexEvent, IndexSummary, SkippedPath, SkipReason } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { type EmbeddingTally, embedMissing } from './embed-missing.ts';
import { type Plan, planRun } from './plan.ts';
import { ageRule, type ReadDocument, type Reading } from './read-document.ts';
import { cutAgain } from './virtual-documents.ts';

/** A file changed this recently may change again within the same clock tick; it is looked at again next time. */
const settlingMilliseconds = 2000;

/** What a run works with. */
export interface IndexingParts {
  readonly source: Source;
  readonly store: Store;
  readonly embedder: Embedder;
  readonly reading: Reading;
}

/** How a run is meant. */
export interface IndexOptions {
  /** Read and cut every file again, whatever the index remembers; vectors of unchanged text are kept. */
  readonly full?: boolean;
  readonly signal?: AbortSignal;
}

/** What a run counts while it works. */
export interface Tally {
  indexed: number;
  unchanged: number;
  deleted: number;
  failed: number;
  written: number;
  redacted: number;
}

/**
 * Brings the store in step with the source: text first, so that it can be searched, then the missing vectors.
 * Each file is committed on its own; a run that is stopped goes on where it was.
 */
export async function* runIndexing(
  parts: IndexingParts,
  options: IndexOptions = {},
): AsyncGenerator<IndexEvent> {
  const started = performance.now();
  const { store, reading } = parts;
  const tally: Tally = { indexed: 0, unchanged: 0, deleted: 0, failed: 0, written: 0, redacted: 0 };
  const skipped: SkippedPath[] = [];

  yield { type: 'scan-start' };
  const manifest = new Map((await store.manifest()).map((entry) => [entry.uri, entry]));
  const files = yield* scan(parts.source, skipped, options.signal);
  const plan = planRun(files, skipped, manifest, { recipe: reading.recipe, full: options.full ?? false });
  tally.unchanged = plan.unchanged;
  const leftOut = [...skipped];
  skipped.push(...plan.stillSkipped);
  yield { type: 'scan-end', files: files.length, changed: plan.toRead.length, skipped: skipped.length };

  yield* readAll(parts, plan, manifest, { options, tally, skipped });
  yield* forget(store, plan, leftOut, manifest, tally);
  yield* expire(store, reading, skipped);
  yield* cutAgain(parts, tally);

  const embedding: EmbeddingTally = { embedded: 0, seconds: 0 };
  yield* embedMissing(store, parts.embedder, embedding, options.signal);
  await settleSpaces(store, parts.embedder.fingerprint);
  await store.setFact('synced-at', String(Date.now()));
  const seconds = { total: (performance.now() - started) / 1000, embedding: embedding.seconds };
  yield { type: 'index-end', summary: await summarise(parts, tally, skipped, embedding, seconds) };
}

async function* scan(
  source: Source,
  skipped: SkippedPath[],
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent, SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const entry of source.scan(signal ? { signal } : {})) {
    if (entry.kind === 'file') files.push(entry.file);
    else {
      skipped.push(entry.skipped);
      yield { type: 'path-skipped', skipped: entry.skipped };
    }
  }
  return files;
}

interface ReadContext {
  readonly options: IndexOptions;
  readonly tally: Tally;
  readonly skipped: SkippedPath[];
}

/** Reads and cuts several files at a time, and commits each as it is done. */
async function* readAll(
  parts: IndexingParts,
  plan: Plan,
  manifest: ReadonlyMap<string, ManifestEntry>,
  context: ReadContext,
): AsyncGenerator<IndexEvent> {
  const { signal, full } = context.options;
  const prepare = (file: SourceFile) => prepareFile(parts, file, full ? undefined : manifest.get(file.uri));
  for await (const outcome of mapConcurrently(plan.toRead, parts.reading.concurrency, prepare)) {
    if (signal?.aborted) throw interrupted(signal.reason);
    try {
      if ('error' in outcome) throw outcome.error;
      yield* await commitFile(parts.store, outcome.value, context);
    } catch (thrown) {
      context.tally.failed += 1;
      const detail = messageOf(thrown);
      await noteFailure(parts, outcome.item, detail);
      yield { type: 'document-failed', uri: outcome.item.uri, reason: detail };
    }
  }
}

/** A file that has been looked at: what the manifest will say, and its chunks unless the content is as before. */
interface PreparedFile {
  readonly entry: Omit<ManifestEntry, 'status' | 'chunks'>;
  readonly before: ManifestEntry | undefined;
  readonly read: ReadDocument | undefined;
}

async function prepareFile(
  { source, reading }: IndexingParts,
  file: SourceFile,
  before: ManifestEntry | undefined,
): Promise<PreparedFile> {
  const bytes = await source.read(file.uri);
  const contentHash = sha256(bytes);
  const settled = Date.now() - file.modifiedAt > settlingMilliseconds;
  const modifiedAt = settled ? file.modifiedAt : 0;
  const { recipe } = reading;
  const entry = { uri: file.uri, size: file.size, modifiedAt, contentHash, recipe };
  const same = before?.status === 'indexed' && before.contentHash === contentHash && before.recipe === recipe;
  return {
    entry,
    before,
    read: same ? undefined : await reading.read({ file, bytes, revision: contentHash }),
  };
}

/** Commits one file and gives the events to tell, none when its content is as before. */
async function commitFile(
  store: Store,
  { entry, before, read }: PreparedFile,
  { tally, skipped }: ReadContext,
): Promise<IndexEvent[]> {
  const { uri } = entry;
  if (!read) {
    await store.putManifest([{ ...(before as ManifestEntry), ...entry }]);
    tally.unchanged += 1;
    return [];
  }
  if (read.kind === 'skipped') {
    await store.deletePaths([uri]);
    const { reason, rule } = read.skipped;
    await store.putManifest([{ ...entry, status: 'skipped', chunks: 0, reason, detail: rule }]);
    skipped.push(read.skipped);
    return [{ type: 'path-skipped', skipped: read.skipped }];
  }
  const { document, chunks, degraded, redacted } = read;
  await store.put(document, chunks, {
    ...entry,
    status: 'indexed',
    chunks: chunks.length,
    ...(degraded && { reason: 'degraded', detail: degraded }),
  });
  tally.indexed += 1;
  tally.written += chunks.length;
  const events: IndexEvent[] = [{ type: 'document-indexed', uri, chunks: chunks.length }];
  if (degraded) events.push({ type: 'document-degraded', uri, reason: degraded });
  if (redacted.length > 0) events.push({ type: 'secrets-redacted', uri, found: redacted });
  for (const { count } of redacted) tally.redacted += count;
  return events;
}

/** A file that cannot be read keeps what was indexed of it; the manifest says that it failed. */
async function noteFailure(
  { store, reading }: IndexingParts,
  file: SourceFile,
  detail: string,
): Promise<void> {
  const { uri, size, modifiedAt } = file;
  await store.putManifest([
    {
      uri,
      size,
      modifiedAt,
      contentHash: '',
      recipe: reading.recipe,
      chunks: 0,
      status: 'failed',
      reason: 'failed',
      detail,
    },
  ]);
}

/** Removes what is gone, and notes what the scan left out where that is news. */
async function* forget(
  store: Store,
  plan: Plan,
  leftOut: readonly SkippedPath[],
  manifest: ReadonlyMap<string, ManifestEntry>,
  tally: Tally,
): AsyncGenerator<IndexEvent> {
  tally.deleted = plan.toDelete.length;
  await store.deletePaths([...plan.toDelete, ...plan.toForget]);
  for (const uri of plan.toDelete) yield { type: 'document-deleted', uri };
  const news = leftOut.filter(({ uri, reason, rule }) => {
    const known = manifest.get(uri);
    return known?.status !== 'skipped' || known.reason !== reason || known.detail !== rule;
  });
  await store.putManifest(
    news.map(({ uri, reason, rule }) => ({
      uri,
      status: 'skipped',
      size: 0,
      modifiedAt: 0,
      contentHash: '',
      recipe: '',
      chunks: 0,
      reason,
      detail: rule,
    })),
  );
}

/** Leaves out what has grown too old since it was indexed. */
async function* expire(store: Store, reading: Reading, skipped: SkippedPath[]): AsyncGenerator<IndexEvent> {
  for (const [type, days] of Object.entries(reading.maxAgeDays)) {
    const until = Date.now() - days * 24 * 3600 * 1000;
    const old = await store.documents({ types: [type], origins: ['file', 'notes', 'unknown'], until });
    if (old.length === 0) continue;
    const uris = new Set(old.map(({ uri }) => uri));
    const entries = (await store.manifest()).filter(({ uri }) => uris.has(uri));
    await store.deletePaths([...uris]);
    const detail = ageRule(type, days);
    await store.putManifest(
      entries.map((entry) => ({ ...entry, status: 'skipped', chunks: 0, reason: 'too-old', detail })),
    );
    for (const uri of uris) {
      skipped.push({ uri, reason: 'too-old', rule: detail });
      yield { type: 'path-skipped', skipped: { uri, reason: 'too-old', rule: detail } };
    }
  }
}

/** Once the space in use is complete, vectors of other models are no longer needed. */
async function settleSpaces(store: Store, space: string): Promise<void> {
  const counts = await store.counts(space);
  if (counts.embedded < counts.chunks) return;
  for (const other of await store.spaces()) if (other !== space) await store.dropSpace(other);
}

async function summarise(
  parts: IndexingParts,
  tally: Tally,
  skipped: readonly SkippedPath[],
  embedding: EmbeddingTally,
  seconds: IndexSummary['seconds'],
): Promise<IndexSummary> {
  const counts = await parts.store.counts(parts.embedder.fingerprint);
  const reasons: Partial<Record<SkipReason, number>> = {};
  for (const { reason } of skipped) reasons[reason] = (reasons[reason] ?? 0) + 1;
  const { indexed, unchanged, deleted, failed, written } = tally;
  return {
    documents: { indexed, unchanged, deleted, failed },
    chunks: {
      total: counts.chunks,
      written,
      embedded: embedding.embedded,
      reused: Math.max(0, written - embedding.embedded),
      pending: counts.chunks - counts.embedded,
    },
    skipped: reasons,
    redacted: tally.redacted,
    seconds,
  };
}
