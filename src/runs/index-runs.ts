import { removeUnfinished } from '../added/kept-folder.ts';
import { keepStored } from '../added/stored-content.ts';
import type { IndexRepair } from '../calls/project.ts';
import type { Source } from '../contracts/source.ts';
import type { Store } from '../contracts/store.ts';
import { contentLost } from '../core/documents/kept-content.ts';
import { asQuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import type { Lease } from '../index/lease.ts';
import type { Reading } from '../indexing/read-document.ts';
import type { ReadingOrder } from '../indexing/reading-order.ts';
import type { GraphSink, IndexingParts, IndexOptions, TextOptions } from '../indexing/run-options.ts';
import type { ProjectEmbedders } from '../opening/embedders/project-embedders.ts';
import { systemClock } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import type { SettingOrigin } from '../settings/config.ts';
import { decidesRecipe } from '../settings/recipe.ts';
import type { Settings } from '../settings/settings.ts';
import { stateFolderOf } from '../state-folder/state-folder.ts';
import {
  isDamaged,
  isForeign,
  type LockWait,
  otherSettings,
  type ProjectIndex,
} from './indexes/project-index.ts';
import { noteVectorsMade } from './update/freshen-project.ts';

/** The graph of the code, as far as a run has to do with it. */
export interface RunGraph {
  /** Takes what a run reads. */
  sink(): Promise<GraphSink>;
  /** Reads what is missing, as an ordinary run does. */
  fill(store: Store, reading: Reading, source: Source, signal?: AbortSignal): AsyncGenerator<IndexEvent>;
}

/** What the runs of a project work with. */
export interface RunParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly index: ProjectIndex;
  readonly graph: RunGraph;
  readonly embedders: ProjectEmbedders;
  readonly reading: () => Promise<IndexingParts['reading']>;
  /** An embedder named for one run must not cost the index the vectors of the one it is made with. */
  readonly keepOtherVectors: boolean;
  /** Settings given for one command must not make a search cut everything again. */
  readonly isTrial: boolean;
  /** Nor must those of this process alone, or two processes would do so in turns: only who waits for it does. */
  readonly recutsOnRequest: boolean;
  /** Whether the settings are others by now than those the project was opened with. */
  readonly isOutdated: () => Promise<boolean>;
}

/** The work on a project's index that several processes must not do at once. */
export interface ProjectRuns {
  /** Brings the index in sync with the files: text first, and as soon as that is done others may continue with text. */
  sync(options: RunOptions): AsyncGenerator<IndexEvent>;
  /**
   * Has the run of all files that is under way in this process read these first; resolves when it has, or has ended. Undefined
   * where there is none.
   */
  first(uris: readonly string[]): Promise<void> | undefined;
  /** Repairs the index under both locks. */
  repair(signal?: AbortSignal): AsyncGenerator<IndexEvent, IndexRepair>;
}

type RunOptions = IndexOptions & LockWait & Pick<TextOptions, 'chosen' | 'reading'>;

/** The locks that a run holds. */
interface Locks {
  /** The lock for text, which is let go when text is in sync: vectors may take hours. */
  readonly text: Lease;
  /** Whether the lock for vectors is held too, from the beginning to the end. */
  readonly hasVectors: boolean;
}

/** For so many milliseconds from its beginning a run of this process is let end its text by one that does not wait. */
const textWait = 2_000;

function hasWritten({ documents, chunks }: IndexSummary): boolean {
  return documents.indexed + documents.deleted + chunks.written + chunks.embedded + chunks.cached > 0;
}

const embedderKeys = ['embedder.driver', 'embedder.model'];

/** What runs may change, by the layers that decided the settings: those of one process bind no other. */
export function runChoices(
  origins: ReadonlyMap<string, SettingOrigin>,
): Pick<RunParts, 'keepOtherVectors' | 'isTrial' | 'recutsOnRequest'> {
  const isForOneProcess = (key: string): boolean =>
    ['flag', 'environment'].includes(origins.get(key)?.layer ?? 'default');
  const keys = [...origins.keys()];
  return {
    keepOtherVectors: embedderKeys.some(isForOneProcess),
    isTrial: keys.some((key) => origins.get(key)?.layer === 'flag' && decidesRecipe(key)),
    recutsOnRequest: keys.some(
      (key) => isForOneProcess(key) && (decidesRecipe(key) || embedderKeys.includes(key)),
    ),
  };
}

/** Nothing is opened yet. */
export function createRuns(parts: RunParts): ProjectRuns {
  const { index, embedders, keepOtherVectors } = parts;
  const indexingParts = async (store: Store, own?: Reading): Promise<IndexingParts> => {
    const { openSource } = await import('../sources/project-source.ts');
    const source = openSource(parts.folder, parts.settings, parts.environment, true);
    const graph = await parts.graph.sink();
    return { source, store, vectors: embedders.sources, reading: own ?? (await parts.reading()), graph };
  };

  const joined = new WeakSet<Store>();
  /** An index that others may use too is made from one project. */
  const join = async ({ store, source }: IndexingParts, { full = false, signal }: RunOptions) => {
    const { isLocalStore } = await import('../opening/open-driver.ts');
    if (joined.has(store) || isLocalStore(parts.settings)) return;
    const { joinIndex } = await import('./indexes/shared-index.ts');
    const { driver } = parts.settings.store;
    await joinIndex({ store, source, stateFolder: stateFolderOf(parts.folder), driver, full, signal });
    joined.add(store);
  };

  /** The last run of this process that waits for its turn: when it was begun, and the end of its text. */
  let underWay: { readonly began: number; readonly text: Promise<void> } | undefined;
  /** A watch often has the same changes in hand, and a file that was saved right before a question is to be found. */
  const letEndText = async (signal: AbortSignal | undefined): Promise<void> => {
    if (!underWay) return;
    const left = Math.ceil(underWay.began + textWait - performance.now());
    if (left <= 0) return;
    const { text } = underWay;
    const over = new AbortController();
    const ends = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
    // By a timer that keeps the process alive: where the run waits for its caller, nothing else does.
    await Promise.race([text, systemClock.wait(left, ends)])
      // The run that follows says that it was stopped, or that another one is not over.
      .catch(() => undefined)
      .finally(() => over.abort());
  };

  let current: ReadingOrder | undefined;
  /** Reads files in an order that may be changed meanwhile; those that were chosen have theirs. */
  const inOrder = async function* <Result>(
    { chosen }: RunOptions,
    read: (order: ReadingOrder) => AsyncGenerator<IndexEvent, Result>,
  ): AsyncGenerator<IndexEvent, Result> {
    const { ReadingOrder } = await import('../indexing/reading-order.ts');
    const order = new ReadingOrder();
    if (!chosen) current = order;
    try {
      return yield* read(order);
    } finally {
      if (current === order) current = undefined;
      order.end();
    }
  };

  /** One run from its beginning to its end. */
  const run = async function* (locks: Locks, given: RunOptions): AsyncGenerator<IndexEvent> {
    const { syncText, hasVectorWork, syncedFact, syncVectors } = await import('../indexing/run.ts');
    const { staleEntries } = await import('../indexing/recipe.ts');
    const store = await index.store();
    for (const error of index.takeNotices()) yield { type: 'index-set-aside', error };
    const indexing = await indexingParts(store, given.reading);
    await join(indexing, given);
    const state = await store.state();
    const hasStale = async () => (await staleEntries(store, indexing.reading.recipe, state)).length > 0;
    if (parts.isTrial && !given.wait && (await hasStale())) throw otherSettings();
    // An index that was deleted under a watch needs all files, whatever has been seen of them.
    const isNew = !state.facts.has(syncedFact);
    const options = {
      ...given,
      ...(isNew && { only: undefined }),
      keepOtherVectors,
      leaveStale: parts.recutsOnRequest && !given.wait,
    };

    await keepStored(parts, store, state);
    await removeUnfinished(parts.folder);
    const text = yield* inOrder(options, (order) => syncText(indexing, { ...options, state, order }));
    yield* index.tidy();
    // Asked while nobody else may write: without the lock the index may be removed at any time.
    const isWork = !locks.hasVectors && (await hasVectorWork(indexing, text, options));
    await locks.text.release();
    // A search does not wait for it: who asks the graph reads what it needs.
    if (given.wait && given.only === undefined)
      yield* parts.graph.fill(store, indexing.reading, indexing.source, given.signal);

    const vectors = async function* (isAlone: boolean): AsyncGenerator<IndexEvent> {
      // While the lock was waited for, another index may have taken the place of this one.
      const current = await index.store();
      if (!isAlone || current !== store)
        return yield* syncVectors(await indexingParts(current), text, { ...options, leaveToOthers: true });
      const withText = <Result>(work: () => Promise<Result>) =>
        // biome-ignore lint/correctness/useYield: there is nothing to emit but that the lock is waited for.
        index.writing({ ...options, wait: true }, async function* () {
          return work();
        });
      const { isOutdated } = parts;
      for await (const event of syncVectors(indexing, text, { ...options, withText, isOutdated })) {
        if (event.type === 'index-end') {
          const now = hasWritten(event.summary) ? await store.state() : text.state;
          if (!keepOtherVectors) await embedders.remember(store, now);
          await noteVectorsMade(store, now, event.summary, options.giveWay?.aborted === true);
        }
        yield event;
      }
    };
    if (isWork) return yield* index.makingVectors(options, vectors);
    try {
      yield* vectors(true);
    } catch (thrown) {
      // No lock is held any more: where the index was removed meanwhile, the rest is told of the one in its place.
      const current = await index.store();
      if (current === store) throw thrown;
      yield* syncVectors(await indexingParts(current), text, { ...options, leaveToOthers: true });
    }
  };

  /** Repairs the index under both locks; one that is damaged as a whole is filled again before it answers. */
  const mend = async function* (options: RunOptions): AsyncGenerator<IndexEvent, IndexRepair> {
    const fill = async function* (store: Store): AsyncGenerator<IndexEvent> {
      const { syncText } = await import('../indexing/run.ts');
      const indexing = await indexingParts(store);
      await join(indexing, options);
      yield* syncText(indexing, { signal: options.signal });
    };
    const { repairIndex } = await import('./upkeep/index-soundness.ts');
    return yield* repairIndex(parts, index, fill, options.signal);
  };

  /** Work under both locks. A caller that waits for the lock for vectors must not hold the one for text. */
  const alone = <Result>(
    options: RunOptions,
    work: (text: Lease) => AsyncGenerator<IndexEvent, Result>,
  ): AsyncGenerator<IndexEvent, Result> =>
    index.makingVectors({ wait: true, signal: options.signal }, () => index.writing(options, work));

  /**
   * Where all files are read anyway, a damaged index is repaired first. One that somebody else has changed is set aside, and
   * another one built.
   */
  const runOrMend = async function* (locks: Locks, options: RunOptions): AsyncGenerator<IndexEvent> {
    try {
      yield* run(locks, options);
    } catch (thrown) {
      if (isForeign(thrown)) {
        await index.distrust(asQuarryError(thrown));
        return yield* run(locks, options);
      }
      if (!isDamaged(thrown) || !options.full) throw thrown;
      const mendAndRun = async function* (text: Lease): AsyncGenerator<IndexEvent> {
        const { lost, rebuilt } = yield* mend(options);
        for (const { uri = 'Added content', detail } of lost)
          yield { type: 'root-failed', error: contentLost(uri, detail) };
        yield* run({ text, hasVectors: true }, { ...options, full: !rebuilt });
      };
      await locks.text.release();
      yield* locks.hasVectors ? index.writing(options, mendAndRun) : alone(options, mendAndRun);
    }
  };

  return {
    async *sync(options) {
      if (!options.wait) await letEndText(options.signal);
      const ended = Promise.withResolvers<void>();
      const own = { began: performance.now(), text: ended.promise };
      if (options.wait) underWay = own;
      const release = (lease: Lease) => lease.release().finally(ended.resolve);
      try {
        yield* index.writing(options, (lease) =>
          runOrMend({ text: { ...lease, release: () => release(lease) }, hasVectors: false }, options),
        );
      } finally {
        ended.resolve();
        if (underWay === own) underWay = undefined;
      }
    },
    first: (uris) => current?.want(uris),
    repair: (signal) => {
      const options = { wait: true, signal };
      return alone(options, async function* (text) {
        const repair = yield* mend(options);
        // Brings back what had to be taken out; vectors come from the cache where it has them.
        yield* runOrMend({ text, hasVectors: true }, options);
        return repair;
      });
    },
  };
}
