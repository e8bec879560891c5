import type { Source } from '../contracts/source.ts';
import type { IndexState, ManifestEntry, Store } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import { embeddedText } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import { asQuarryError, interrupted, leavesText, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { embeddingKey, sha256 } from '../core/identity.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { holdingsOf } from '../index/holdings.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { textBeside } from './beside.ts';
import { embedGroup, type GroupVectors } from './embed-group.ts';
import type { EmbeddingTally } from './embed-missing.ts';
import { commitFile, cutContent, type PreparedFile } from './ingest.ts';
import type { RawDocument, Reading } from './read-document.ts';
import { staleEntries } from './recipe.ts';
import { addCounts, countsOf, noCounts, type RunCounts } from './run-counts.ts';

/** Chunks that are embedded and committed together: enough for good batches, few enough to lose little when killed. */
const chunksPerGroup = 1024;
/** Documents that are committed together: the lock for text is held meanwhile. */
const documentsPerGroup = 128;

/** What documents are cut again with. */
export interface RecutParts {
  readonly source: Source;
  readonly store: Store;
  readonly reading: Reading;
}

/** How documents that have vectors are cut again. */
export interface RecutOptions {
  readonly vectors: readonly (() => Promise<VectorSource>)[];
  readonly tally: EmbeddingTally;
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState | undefined;
  /** What kept a model from making the vectors of before: to ask it once more is in vain. */
  readonly failure: QuarryError | undefined;
  /** Does work under the lock for text. */
  readonly withText: <Result>(work: () => Promise<Result>) => AsyncGenerator<IndexEvent, Result>;
  /** Whether the settings are others by now, so that nothing more is cut by these. */
  readonly isOutdated: () => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
  /** Ends it early, without an error; what is left stays as it was cut before. */
  readonly giveWay?: AbortSignal | undefined;
}

/**
 * Cuts the documents again that were cut by previous settings and have no vectors to lose. The caller holds the lock
 * for text; their vectors are made later, as those of changed files are.
 */
export async function* recutWithoutVectors(
  parts: RecutParts,
  state: IndexState,
  signal?: AbortSignal,
): AsyncGenerator<IndexEvent, RunCounts> {
  const { store, reading } = parts;
  let counts = noCounts;
  const stale = await withRecords(store, await staleEntries(store, reading.recipe, state));
  for await (const cut of cutEach(parts, await withoutVectors(store, stale), signal)) {
    const events = await commitFile(store, cut.file, { replaces: cut.before });
    counts = addCounts(counts, recutCounts(events));
    yield* events;
  }
  return counts;
}

/**
 * Cuts the documents again that were cut by previous settings, group by group, and makes the vectors of a group before
 * it is committed: readers see a document in the old cut or in the new one, with its vectors in either. What fails leaves
 * the rest as it is, for a later run.
 */
export async function* recutStale(
  parts: RecutParts,
  options: RecutOptions,
): AsyncGenerator<IndexEvent, RunCounts> {
  const { store, reading } = parts;
  const stale = await withRecords(store, await staleEntries(store, reading.recipe, options.state));
  if (stale.length === 0) return noCounts;
  let counts = noCounts;
  let { failure } = options;
  const mayBegin = !failure && !options.giveWay?.aborted && !(await options.isOutdated());
  const sources = mayBegin ? await openAll(options.vectors) : [];
  if (sources instanceof QuarryError) failure = sources;
  else if (mayBegin) {
    const { signal } = options;
    const [first] = sources;
    if (first) yield { type: 'model-loading', name: first.embedder.fingerprint };
    yield { type: 'documents-recut', done: 0, total: stale.length };
    const refusals = { asked: 0, refused: 0 };
    for await (const group of groupsOf(cutEach(parts, stale, signal))) {
      if (options.giveWay?.aborted || (await options.isOutdated())) break;
      const made = await embedGroup(
        store,
        sources,
        group.map(({ file }) => file),
        { ...options, refusals },
      );
      const events = yield* options.withText(() => commitGroup(store, group, made));
      if (signal?.aborted) throw interrupted(signal.reason);
      counts = addCounts(counts, recutCounts(events));
      yield* events;
      yield { type: 'documents-recut', done: counts.documents.indexed, total: stale.length };
      yield* await made.keepRefusals();
      failure = made.failure;
      if (failure) break;
    }
  }
  const left = (await staleEntries(store, reading.recipe)).length;
  if (left > 0) yield { type: 'documents-stale', stale: left, ...(failure && { error: failure }) };
  return counts;
}

/** A document that was cut by previous settings. */
interface StaleDocument {
  readonly entry: ManifestEntry;
  readonly record: DocumentRecord;
}

/** A document in its new cut, and what the manifest says of the old one. */
interface Recut {
  readonly before: ManifestEntry;
  readonly file: PreparedFile;
}

async function withRecords(store: Store, entries: readonly ManifestEntry[]): Promise<StaleDocument[]> {
  if (entries.length === 0) return [];
  const records = new Map((await store.documents()).map((record) => [record.uri, record]));
  return entries.flatMap((entry) => {
    const record = records.get(entry.uri);
    return record ? [{ entry, record }] : [];
  });
}

/** Those that have not one vector in any space. */
async function withoutVectors(store: Store, stale: readonly StaleDocument[]): Promise<StaleDocument[]> {
  if (stale.length === 0) return [];
  const state = await store.state();
  const spaces = [...state.spaces.keys()];
  if ([...state.spaces.values()].some(({ embedded }) => embedded === state.chunks)) return [];
  const bare: StaleDocument[] = [];
  for (const document of stale) {
    const chunks = spaces.length > 0 ? await chunksOf(store, document.record.id) : [];
    const keys = chunks.map((chunk) => embeddingKey(embeddedText(chunk)));
    const covered = await Promise.all(spaces.map((space) => store.keysWithVector(space, keys)));
    if (covered.every(({ size }) => size === 0)) bare.push(document);
  }
  return bare;
}

/** Cuts several at a time. One whose file has changed or cannot be opened now is left out: that is for the next run. */
async function* cutEach(
  { source, reading }: RecutParts,
  stale: readonly StaleDocument[],
  signal: AbortSignal | undefined,
): AsyncGenerator<Recut> {
  const cut = async ({ entry, record }: StaleDocument): Promise<Recut | undefined> => {
    const { uri, size, modifiedAt, contentHash } = entry;
    const raw = await readFile(source, entry, record);
    if (raw.revision !== contentHash) return undefined;
    const { recipe } = reading;
    const beside = await textBeside(source, reading, uri);
    const file = await cutContent(
      reading,
      { ...raw, beside },
      { uri, size, modifiedAt, contentHash, recipe },
      { signal },
    );
    // Without a recipe it is to be tried again: what the file is not to blame for leaves the document as it is.
    return file.entry.recipe === '' ? undefined : { before: entry, file };
  };
  const { concurrency, bytesAtOnce } = reading;
  const weighing = { max: bytesAtOnce, weightOf: ({ entry }: StaleDocument) => entry.size };
  for await (const outcome of mapConcurrently(stale, concurrency, cut, weighing)) {
    if (signal?.aborted) throw interrupted(signal.reason);
    if ('value' in outcome) {
      if (outcome.value) yield outcome.value;
      continue;
    }
    const error = asQuarryError(outcome.error);
    if (error.code !== 'file-unreadable') throw error;
  }
}

async function readFile(
  source: Source,
  { uri, size }: ManifestEntry,
  { modifiedAt }: DocumentRecord,
): Promise<RawDocument> {
  const bytes = await source.read(uri);
  return { file: { uri, size, modifiedAt }, bytes, revision: sha256(bytes) };
}

async function* groupsOf(recuts: AsyncGenerator<Recut>): AsyncGenerator<readonly Recut[]> {
  let group: Recut[] = [];
  let chunks = 0;
  for await (const recut of recuts) {
    group.push(recut);
    const { content } = recut.file;
    chunks += content.kind === 'document' ? content.chunks.length : 0;
    if (chunks < chunksPerGroup && group.length < documentsPerGroup) continue;
    yield group;
    group = [];
    chunks = 0;
  }
  if (group.length > 0) yield group;
}

async function openAll(
  vectors: readonly (() => Promise<VectorSource>)[],
): Promise<readonly VectorSource[] | QuarryError> {
  const sources: VectorSource[] = [];
  for (const open of vectors) {
    const source = await open().catch(asQuarryError);
    if (source instanceof QuarryError) {
      if (!leavesText(source)) throw source;
      return source;
    }
    sources.push(source);
  }
  return sources;
}

/** Commits what has all of its vectors; another writer may have been quicker with one or the other. */
async function commitGroup(store: Store, group: readonly Recut[], made: GroupVectors): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  const { manifest: current } = await holdingsOf(store);
  for (const { before, file } of group) {
    const vectors = made.vectorsOf(file);
    const now = current.get(before.uri);
    if (!vectors || now?.contentHash !== before.contentHash || now.recipe !== before.recipe) continue;
    // Another run may have noted the time of the file meanwhile, which changes nothing in it.
    const noted = { ...file, entry: { ...file.entry, modifiedAt: now.modifiedAt } };
    events.push(...(await commitFile(store, noted, { vectors, replaces: now })));
  }
  return events;
}

/** A document that is cut again was counted as unchanged before. */
function recutCounts(events: readonly IndexEvent[]): RunCounts {
  const counts = countsOf(events);
  const ends: readonly IndexEvent['type'][] = ['document-indexed', 'document-failed', 'path-skipped'];
  const left = events.filter(({ type }) => ends.includes(type)).length;
  return { ...counts, documents: { ...counts.documents, unchanged: -left } };
}
