import type { Source, SourceFile } from '../contracts/source.ts';
import type { Store, StoreCounts } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import { interrupted } from '../core/errors.ts';
import type { IndexEvent, SkippedPath } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { pathScope } from '../core/path-scope.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { observe } from '../platform/streams.ts';
import { embedMissing, emptyTally } from './embed-missing.ts';
import { forgetGone, forgetOld } from './forget.ts';
import { gonePaths, keepVectors } from './moved-files.ts';
import { type Plan, planRun, type RecipeChoice, type Remembered, remember } from './plan.ts';
import type { Reading } from './read-document.ts';
import { refusedChunks } from './refused-texts.ts';
import { noteFirstScan, noteScan, scanSource } from './scan.ts';
import { commitFile, noteUnopened, prepareFile } from './take-in.ts';
import { cutAgain } from './virtual-documents.ts';

/** Files beyond which a run is worth starting readers anew for the next one. */
const smallRun = 200;

/** What a run works with. */
export interface IndexingParts {
  readonly source: Source;
  readonly store: Store;
  /** The embedders whose vectors are kept up to date, the one in use first; opened when texts are there. */
  readonly vectors: readonly (() => Promise<VectorSource>)[];
  readonly reading: Reading;
}

/** How a run is meant. */
export interface IndexOptions {
  /** Read and cut every file again, whatever the index remembers; vectors of unchanged text are kept. */
  readonly full?: boolean;
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
  /** Leave alone what was cut in another way and has not changed: another index is made for the new cut. */
  readonly keepOtherCuts?: boolean;
};

/** A run whose text is in step, and whose vectors are still to be made. */
export interface TextRun {
  readonly started: number;
  readonly tally: Tally;
}

/**
 * Brings the text of the store in step with the source, so that it can be searched; `makeVectors` ends the run. Each
 * file is committed on its own; a run that is stopped goes on where it was.
 */
export async function* takeInText(
  parts: IndexingParts,
  options: TextOptions = {},
): AsyncGenerator<IndexEvent, TextRun> {
  const started = performance.now();
  const { store, reading } = parts;
  const tally = createTally();

  yield { type: 'scan-start' };
  const remembered = await remember(store);
  const scan = yield* tally.counting(scanSource(parts.source, options));
  const { files, skipped: leftOut } = scan;
  const scope = options.only && pathScope(options.only);
  const { recipe } = reading;
  const plan = planRun(scan, remembered, {
    recipe,
    full: options.full ?? false,
    scope,
    ...choiceOf(options),
  });
  tally.start(plan);
  yield { type: 'scan-end', files: files.length, changed: plan.toRead.length, skipped: tally.skipped };
  for (const error of plan.troubles) yield { type: 'root-failed', error };

  await noteFirstScan(store, scan, remembered);
  yield* tally.counting(takeIn(parts, plan, remembered, options));
  yield* tally.counting(forgetGone(store, plan, leftOut, remembered.manifest));
  yield* tally.counting(forgetOld(store, reading.maxAgeDays));
  if (!options.keepOtherCuts) yield* tally.counting(cutAgain(parts, remembered.manifest));

  // The model needs memory now. After a small run the readers stay, since the next one may follow soon.
  if (plan.toRead.length > smallRun) await reading.rest();
  await noteScan(store, scan, remembered, plan);
  await store.setFact('synced-at', String(Date.now()));
  return { started, tally };
}

/** Whether vectors are to be made for an embedder that can be opened now, or to be taken out for one that is not used. */
export async function hasVectorWork(
  parts: IndexingParts,
  { keepOtherVectors }: Pick<IndexOptions, 'keepOtherVectors'>,
): Promise<boolean> {
  const spaces = await openSpaces(parts);
  if ((await missingVectors(parts.store, spaces)) > 0) return true;
  return !keepOtherVectors && (await formerSpaces(parts.store, spaces)).length > 0;
}

/** Makes the missing vectors, or leaves them to whoever is making them already, and ends the run with its summary. */
export async function* makeVectors(
  parts: IndexingParts,
  { started, tally }: TextRun,
  options: IndexOptions & { readonly leaveToOthers?: boolean } = {},
): AsyncGenerator<IndexEvent> {
  const { store } = parts;
  const spaces = await openSpaces(parts);
  const before = tally.written > 0 ? await store.counts(spaces[0]) : undefined;
  const embedding = emptyTally();
  if (!options.leaveToOthers)
    for (const open of parts.vectors) yield* embedMissing(store, open, embedding, options);
  const after = await store.counts(spaces[0]);
  const pending = after.chunks - after.embedded;
  const isCutShort = options.leaveToOthers || options.giveWay?.aborted;
  const missing = isCutShort ? await missingVectors(store, spaces) : 0;
  if (missing > 0) yield { type: 'vectors-paused', pending: missing };
  if (!options.keepOtherVectors && !options.leaveToOthers) await dropFormerSpaces(store, spaces, after);

  const pendingBefore = before ? before.chunks - before.embedded : 0;
  const chunks = {
    total: after.chunks,
    written: tally.written,
    embedded: embedding.embedded,
    cached: embedding.cached,
    reused: Math.max(0, tally.written - pendingBefore),
    pending,
  };
  const seconds = { total: (performance.now() - started) / 1000, embedding: embedding.seconds };
  yield { type: 'index-end', summary: { ...tally.summary(), chunks, seconds } };
}

/** Reads and cuts several files at a time, and commits each as it is done. */
async function* takeIn(
  parts: IndexingParts,
  plan: Plan,
  { manifest, stored }: Remembered,
  options: TextOptions,
): AsyncGenerator<IndexEvent> {
  const { signal, full } = options;
  const moved = gonePaths(plan, manifest);
  const before = (uri: string) => {
    const entry = full ? undefined : manifest.get(uri);
    return entry?.status === 'indexed' && !stored.has(uri) ? undefined : entry;
  };
  const prepare = (file: SourceFile) =>
    prepareFile({ ...parts, choice: choiceOf(options) }, file, before(file.uri));
  const { concurrency, bytesAtOnce } = parts.reading;
  const weighing = { most: bytesAtOnce, weightOf: ({ size }: SourceFile) => size };
  for await (const outcome of mapConcurrently(plan.toRead, concurrency, prepare, weighing)) {
    if (signal?.aborted) throw interrupted(signal.reason);
    if ('value' in outcome) {
      yield* await commitFile(parts.store, outcome.value);
      await keepVectors(parts.store, outcome.value, moved);
    } else yield* await noteUnopened(parts.store, outcome.item, outcome.error);
  }
}

function choiceOf({ passOverRefused, keepOtherCuts }: TextOptions): Omit<RecipeChoice, 'recipe'> {
  return { passOverCutShort: passOverRefused, anyRecipe: keepOtherCuts };
}

/** The spaces that are kept up to date, in order; undefined for an embedder that cannot be opened now. */
function openSpaces({ vectors }: IndexingParts): Promise<(string | undefined)[]> {
  const spaceOf = async (open: () => Promise<VectorSource>) => (await open()).embedder.fingerprint;
  return Promise.all(vectors.map((open) => spaceOf(open).catch(() => undefined)));
}

/** Vectors that could be made now: of chunks that have none in the space of an embedder that can be opened. */
export async function countMissing(parts: IndexingParts): Promise<number> {
  return missingVectors(parts.store, await openSpaces(parts));
}

/** Chunks that have no vector in one of these spaces, each counted as often as it has none. */
async function missingVectors(store: Store, spaces: readonly (string | undefined)[]): Promise<number> {
  let missing = 0;
  for (const space of spaces) if (space !== undefined) missing += await store.pending(space);
  return missing;
}

/** Spaces of embedders that are not in use; none while one that is in use is unknown. */
async function formerSpaces(store: Store, spaces: readonly (string | undefined)[]): Promise<string[]> {
  if (spaces.includes(undefined)) return [];
  return (await store.spaces()).filter((space) => !spaces.includes(space));
}

/** Once the space in use is as complete as it will be, vectors of models that are no longer named are not needed. */
async function dropFormerSpaces(
  store: Store,
  spaces: readonly (string | undefined)[],
  { chunks, embedded }: StoreCounts,
): Promise<void> {
  const [inUse] = spaces;
  const former = await formerSpaces(store, spaces);
  if (former.length === 0) return;
  const refused = embedded < chunks ? await refusedChunks(store, (space) => space === inUse) : { total: 0 };
  if (embedded + refused.total < chunks) return;
  for (const space of former) await store.dropSpace(space);
}

type Tally = ReturnType<typeof createTally>;

/** Counts what the events of a run tell. */
function createTally() {
  const documents = { indexed: 0, unchanged: 0, deleted: 0, failed: 0 };
  const reasons: Record<string, number> = {};
  const tally = { written: 0, redacted: 0, skipped: 0 };
  const skip = ({ reason }: SkippedPath): void => {
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    tally.skipped += 1;
  };
  const count = (event: IndexEvent): void => {
    if (event.type === 'document-unchanged') documents.unchanged += 1;
    if (event.type === 'document-deleted') documents.deleted += 1;
    if (event.type === 'document-failed') documents.failed += 1;
    if (event.type === 'path-skipped') skip(event.skipped);
    if (event.type === 'secrets-redacted') for (const found of event.found) tally.redacted += found.count;
    if (event.type === 'document-indexed') {
      documents.indexed += 1;
      tally.written += event.chunks;
    }
  };
  return {
    get written() {
      return tally.written;
    },
    get skipped() {
      return tally.skipped;
    },
    start(plan: Plan): void {
      documents.unchanged = plan.unchanged;
      documents.failed = plan.stillFailed;
      plan.stillSkipped.forEach(skip);
    },
    counting: <Result>(events: AsyncGenerator<IndexEvent, Result>) => observe(events, count),
    summary: (): Pick<IndexSummary, 'documents' | 'skipped' | 'redacted'> => ({
      documents,
      skipped: reasons,
      redacted: tally.redacted,
    }),
  };
}
