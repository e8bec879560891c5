import type { IndexState, Store } from '../contracts/store.ts';
import { pathScope } from '../core/documents/path-scope.ts';
import type { QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { pendingIn } from '../index/state.ts';
import { setFact } from '../index/write.ts';
import { type EmbeddingTally, embedMissing, emptyTally } from './embed-missing.ts';
import { forgetGone, forgetOld, newlyLeftOut } from './forget.ts';
import { choiceOf, ingestFiles } from './ingest-files.ts';
import { planRun, remember } from './plan.ts';
import { staleEntries } from './recipe.ts';
import { type RecutOptions, recutStale, recutWithoutVectors } from './recut.ts';
import { addCounts, countsOf, noCounts, type RunCounts } from './run-counts.ts';
import type { IndexingParts, TextOptions } from './run-options.ts';
import { noteFirstScan, noteScan, scanOfChosen, scanSource } from './scan.ts';
import { dropPreviousSpaces, missingVectors, openSpaces, previousSpaces } from './spaces-in-use.ts';

/** Files beyond which the readers of a run are stopped after it, to free their memory. */
const smallRun = 200;

/** The fact that says when the text was last in sync with the files. */
export const syncedFact = 'synced-at';
const noteSyncAfter = 60_000;

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
  counts = addCounts(counts, yield* ingestFiles(parts, plan, remembered, options));
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

function addTallies(one: EmbeddingTally, other: EmbeddingTally): EmbeddingTally {
  return {
    embedded: one.embedded + other.embedded,
    cached: one.cached + other.cached,
    seconds: one.seconds + other.seconds,
  };
}
