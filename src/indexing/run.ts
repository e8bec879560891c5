import type { Source, SourceFile } from '../contracts/source.ts';
import type { IndexState, Store } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import type { FileGraph } from '../core/code-graph.ts';
import { isVirtual } from '../core/document.ts';
import { pathScope } from '../core/documents/path-scope.ts';
import { interrupted, type QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { documentsAtOnce } from '../index/commit.ts';
import { pendingIn } from '../index/state.ts';
import { setFact } from '../index/write.ts';
import { createAside, withAside } from '../platform/aside.ts';
import { Gathering } from '../platform/gathering.ts';
import { mapConcurrently, type Outcome } from '../platform/map-concurrently.ts';
import { mapInOrder } from '../platform/map-in-order.ts';
import { commitAdded } from './commit-added.ts';
import { type EmbeddingTally, embedMissing, emptyTally } from './embed-missing.ts';
import { notesTogether } from './file-notes.ts';
import { forgetGone, forgetOld, newlyLeftOut } from './forget.ts';
import { commitFile, noteUnopened, type PreparedFile, prepareFile } from './ingest.ts';
import { gonePaths, keepVectors } from './moved-files.ts';
import { type Plan, planRun, type Remembered, remember } from './plan.ts';
import type { Reading } from './read-document.ts';
import { ReadingOrder } from './reading-order.ts';
import { isStale, staleEntries } from './recipe.ts';
import { type RecutOptions, recutStale, recutWithoutVectors } from './recut.ts';
import { addCounts, countsOf, noCounts, type RunCounts } from './run-counts.ts';
import { noteFirstScan, noteScan, scanOfChosen, scanSource } from './scan.ts';
import { dropPreviousSpaces, missingVectors, openSpaces, previousSpaces } from './spaces-in-use.ts';

/** Files beyond which the readers of a run are stopped after it, to free their memory. */
const smallRun = 200;
/** Bytes of files whose chunks may be on their way into the store at once; a larger file is alone. */
const bytesOfPuts = 8_000_000;

/**
 * Chunks that are handed to the store at once, and how long the first of them wait for that: a commit costs more than the
 * chunks of a file, and a text index that grew in small steps is slower to search.
 */
const committedTogether = { max: 80, milliseconds: 40 };

/** The fact that says when the text was last in sync with the files. */
export const syncedFact = 'synced-at';
const noteSyncAfter = 60_000;

/** What a run works with. */
export interface IndexingParts {
  readonly source: Source;
  readonly store: Store;
  /** The embedders whose vectors are kept up to date, the one in use first; opened when texts are there. */
  readonly vectors: readonly (() => Promise<VectorSource>)[];
  readonly reading: Reading;
  /** Takes what code defines and mentions, after its document is in the index; absent where nothing keeps it. */
  readonly graph?: GraphSink | undefined;
}

/** Keeps what the files of code define and mention. It never fails a run: what it has not kept is read again later. */
export interface GraphSink {
  note(uri: string, contentHash: string, graph: FileGraph): void;
  flush(): void;
}

/** How a run is meant. */
export interface IndexOptions {
  /** Read and cut every file again, whatever the index remembers; vectors of unchanged text are kept. */
  readonly full?: boolean | undefined;
  /**
   * Bring these paths, and what is below them, up to date and nothing else; the summary then speaks of them alone. A
   * file that moved keeps its vectors where both of its paths are among them.
   */
  readonly only?: readonly string[] | undefined;
  /** Keep the vectors of other embedders: this one is used for a while only. */
  readonly keepOtherVectors?: boolean;
  /**
   * Leave out the texts that a model has refused before, and unchanged files that took too much time or memory to read;
   * otherwise they are tried once more.
   */
  readonly passOverRefused?: boolean | undefined;
  /** Ends the making of vectors early, without an error: those that are missing are left for the next run. */
  readonly giveWay?: AbortSignal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How the text of a run is meant. */
export type TextOptions = IndexOptions & {
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState;
  /** Leave what previous settings cut as it is: only what has changed is cut as those of today say. */
  readonly leaveStale?: boolean;
  /** Read these files alone, in this order, and call nothing else in sync: for an answer that does not wait for the rest. */
  readonly chosen?: readonly SourceFile[] | undefined;
  /** Decides which file is read next. */
  readonly order?: ReadingOrder;
};

/** A run whose text is in sync with the files, and whose vectors are still to be made. */
export interface TextSync {
  readonly started: number;
  readonly counts: RunCounts;
  /** The index as the text left it. */
  readonly state: IndexState;
}

/**
 * Brings the text of the store in sync with the source, so that it can be searched. Each file is committed on its own; a
 * run that is stopped continues where it was. The caller holds the lock for text.
 */
export async function* syncText(
  parts: IndexingParts,
  options: TextOptions = {},
): AsyncGenerator<IndexEvent, TextSync> {
  const started = performance.now();
  const { store, reading } = parts;

  yield { type: 'scan-start' };
  const before = options.state ?? (await store.state());
  const remembered = await remember(store, before);
  const { chosen } = options;
  const only = chosen ? chosen.map(({ uri }) => uri) : options.only;
  const scan = chosen ? scanOfChosen(chosen) : yield* scanSource(parts.source, options);
  const plan = planRun(scan, remembered, {
    recipe: reading.recipe,
    full: options.full ?? false,
    scope: only && pathScope(only),
    ...choiceOf(options, reading),
  });
  const skipped = [...scan.skipped, ...plan.stillSkipped];
  const left = countsOf(skipped.map((each) => ({ type: 'path-skipped', skipped: each }) as const));
  const { unchanged, stillFailed: failed } = plan;
  let counts: RunCounts = { ...left, documents: { ...noCounts.documents, unchanged, failed } };
  yield {
    type: 'scan-end',
    files: scan.files.length,
    changed: plan.toRead.length,
    skipped: skipped.length,
  };
  for (const error of plan.troubles) yield { type: 'root-failed', error };

  await noteFirstScan(store, scan, remembered);
  counts = addCounts(counts, yield* ingest(parts, plan, remembered, options));
  counts = addCounts(counts, yield* forgetGone(store, plan, scan.skipped, remembered.manifest));
  // Most often nothing has changed: then the index is not asked again.
  const isQuiet =
    plan.toRead.length + plan.toDelete.length + plan.toForget.length === 0 &&
    newlyLeftOut(scan.skipped, remembered.manifest).length === 0;
  const read = isQuiet ? before : await store.state();
  const old = yield* forgetOld(store, reading.maxAgeDays, read);
  const aged = old === noCounts ? read : await store.state();
  const recut =
    options.leaveStale || chosen ? noCounts : yield* recutWithoutVectors(parts, aged, options.signal);
  counts = addCounts(addCounts(counts, old), recut);
  const state = recut === noCounts ? aged : await store.state();

  // The model needs memory now. After a small run the readers stay, since the next one may follow soon.
  if (plan.toRead.length > smallRun) await reading.rest();
  await noteScan(store, scan, remembered, plan);
  if (!chosen) await noteSync(store, state, state !== before);
  return { started, counts, state };
}

/** The moment of the last run; it is noted once a minute where nothing has changed, since a write costs more than such a run. */
async function noteSync(store: Store, { facts }: IndexState, hasChanged: boolean): Promise<void> {
  const age = Date.now() - Number(facts.get(syncedFact) ?? Number.NaN);
  if (hasChanged || !(age >= 0 && age < noteSyncAfter)) await setFact(store, syncedFact, String(Date.now()));
}

/** Whether there is work that needs the lock for vectors. */
export async function hasVectorWork(
  parts: IndexingParts,
  { state }: TextSync,
  { keepOtherVectors, leaveStale }: Pick<TextOptions, 'keepOtherVectors' | 'leaveStale'>,
): Promise<boolean> {
  const spaces = await openSpaces(parts.vectors);
  if (missingVectors(state, spaces) > 0) return true;
  if (!leaveStale && (await staleEntries(parts.store, parts.reading.recipe, state)).length > 0) return true;
  return !keepOtherVectors && previousSpaces(state, spaces).length > 0;
}

/** How vectors are made after the text: by this run, which may also cut documents again, or by another process. */
export type VectorOptions = TextOptions &
  (
    | { readonly leaveToOthers: true }
    | ({ readonly leaveToOthers?: false } & Pick<RecutOptions, 'withText' | 'isOutdated'>)
  );

/**
 * Makes the missing vectors and then cuts the documents again that previous settings cut, or leaves both to the process
 * that does so already. Ends the run with its summary.
 */
export async function* syncVectors(
  parts: IndexingParts,
  { started, counts, state: atFirst }: TextSync,
  options: VectorOptions,
): AsyncGenerator<IndexEvent> {
  const { store } = parts;
  const spaces = await openSpaces(parts.vectors);
  const [inUse = ''] = spaces;
  // Where there is work, the lock for it was waited for: others may have done some of it.
  const isQuiet = counts.written === 0 && missingVectors(atFirst, spaces) === 0;
  const before = isQuiet ? atFirst : await store.state();
  const reused = counts.written > 0 ? Math.max(0, counts.written - pendingIn(before, inUse)) : 0;
  const missing = emptyTally();
  const again = { counts: noCounts, tally: emptyTally() };
  if (!options.leaveToOthers) {
    const { vectors } = parts;
    let failure: QuarryError | undefined;
    const known = isQuiet ? { ...options, state: before } : options;
    for (const open of vectors) failure = (yield* embedMissing(store, open, missing, known)) ?? failure;
    if (!options.leaveStale)
      again.counts = yield* recutStale(parts, { ...known, vectors, failure, tally: again.tally });
  }
  const isUntouched = isQuiet && again.counts === noCounts;
  const after = isUntouched ? before : await store.state();
  const stale =
    options.leaveToOthers || options.leaveStale ? await staleEntries(store, parts.reading.recipe, after) : [];
  if (stale.length > 0) yield { type: 'documents-stale', stale: stale.length };
  const isCutShort = options.leaveToOthers || options.giveWay?.aborted;
  const left = isCutShort ? missingVectors(after, spaces) : 0;
  if (left > 0) yield { type: 'vectors-paused', pending: left };
  if (!options.keepOtherVectors && !options.leaveToOthers) await dropPreviousSpaces(store, spaces, after);

  const made = addTallies(missing, again.tally);
  const all = addCounts(counts, again.counts);
  const { skipped, redacted, written } = all;
  // A run of some paths may cut documents again that it did not count as unchanged.
  const documents = { ...all.documents, unchanged: Math.max(0, all.documents.unchanged) };
  const chunks = {
    total: after.chunks,
    written,
    embedded: made.embedded,
    cached: made.cached,
    reused: reused + Math.max(0, again.counts.written - again.tally.embedded - again.tally.cached),
    pending: pendingIn(after, inUse),
  };
  const seconds = { total: (performance.now() - started) / 1000, embedding: made.seconds };
  yield { type: 'index-end', summary: { documents, skipped, redacted, chunks, seconds } };
}

/** Reads and cuts several files at a time, and commits each as it is done; several at a time where the store likes that. */
async function* ingest(
  parts: IndexingParts,
  plan: Plan,
  { manifest, stored }: Remembered,
  options: TextOptions,
): AsyncGenerator<IndexEvent, RunCounts> {
  const { signal, full } = options;
  const { store, reading } = parts;
  const aside = createAside<IndexEvent>();
  const moved = gonePaths(plan, manifest);
  const before = (uri: string) => {
    const entry = manifest.get(uri);
    if (!entry || (entry.status === 'indexed' && !stored.has(uri))) return undefined;
    // What is cut as previous settings said is cut again with its vectors, later.
    return full && !(entry.status === 'indexed' && isStale(entry.recipe, reading.recipe)) ? undefined : entry;
  };
  // For an answer that does not wait for the rest, the graph does not either: it reads what it lacks when it is asked.
  const withoutGraph = !parts.graph || options.chosen !== undefined;
  const prepare = (file: SourceFile) =>
    prepareFile(
      { ...parts, choice: choiceOf(options, reading), withoutGraph, onPage: aside.add, signal },
      file,
      before(file.uri),
    );
  const weighing = { max: reading.bytesAtOnce, weightOf: ({ size }: SourceFile) => size };
  const { order = new ReadingOrder() } = options;
  const prepared = mapConcurrently(
    order.of(slowLast(plan.toRead, reading)),
    reading.concurrency,
    prepare,
    weighing,
  );
  const putsAtOnce = documentsAtOnce(store);
  const together = new Gathering(committedTogether);
  const note = notesTogether(store, signal);
  let begun = 0;
  let ended = 0;
  const commit = async (outcome: Outcome<SourceFile, PreparedFile>): Promise<IndexEvent[]> => {
    const events = await commitOne(outcome);
    order.done(outcome.item.uri);
    return events;
  };
  const commitOne = async (outcome: Outcome<SourceFile, PreparedFile>): Promise<IndexEvent[]> => {
    begun += 1;
    const chunks = chunksOf(outcome);
    const turn = chunks > 0 ? together.join(chunks) : undefined;
    // Nobody else can come: the store has as many as it takes, or this is the last one.
    if (begun - ended >= putsAtOnce || begun === plan.toRead.length) together.goOn();
    await turn;
    if (signal?.aborted) throw interrupted(signal.reason);
    if (!('value' in outcome)) return noteUnopened(store, outcome.item, outcome.error, note);
    const { value: file } = outcome;
    const events = await (isVirtual(file.entry.uri)
      ? commitAdded(parts, file)
      : commitFile(store, file, {}, note));
    await keepVectors(store, file, moved);
    if (events.length > 0) noteGraph(parts, file);
    return events;
  };
  const committing = { max: bytesOfPuts, weightOf: ({ item }: { readonly item: SourceFile }) => item.size };
  let counts = noCounts;
  for await (const events of withAside(mapInOrder(prepared, putsAtOnce, commit, committing), aside)) {
    if (!Array.isArray(events)) {
      yield events;
      continue;
    }
    ended += 1;
    counts = addCounts(counts, countsOf(events));
    yield* events;
  }
  parts.graph?.flush();
  return counts;
}

/** The files with those last that take long: what is quickly read can be found meanwhile. */
function slowLast(files: readonly SourceFile[], { takesLong }: Reading): readonly SourceFile[] {
  if (!takesLong) return files;
  const { quick = [], slow = [] } = Object.groupBy(files, ({ uri }) => (takesLong(uri) ? 'slow' : 'quick'));
  return slow.length === 0 ? files : [...quick, ...slow];
}

function noteGraph({ graph: sink }: IndexingParts, { entry, content }: PreparedFile): void {
  if (content.kind === 'document' && content.graph) sink?.note(entry.uri, entry.contentHash, content.graph);
}

/** Chunks that a file gives to the store. */
function chunksOf(outcome: Outcome<SourceFile, PreparedFile>): number {
  const content = 'value' in outcome ? outcome.value.content : undefined;
  return content?.kind === 'document' ? content.chunks.length : 0;
}

function choiceOf({ passOverRefused, leaveStale }: TextOptions, reading: Reading) {
  return { passOverCutShort: passOverRefused, leaveStale, readsPictures: reading.readsPictures?.() };
}

function addTallies(one: EmbeddingTally, other: EmbeddingTally): EmbeddingTally {
  return {
    embedded: one.embedded + other.embedded,
    cached: one.cached + other.cached,
    seconds: one.seconds + other.seconds,
  };
}
