import type { Store } from '../../contracts/store.ts';
import type { IndexEvent } from '../../core/events.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { IndexingParts, IndexOptions, TextOptions, TextRun } from '../../indexing/run.ts';
import type { Environment } from '../../platform/environment.ts';
import type { WriterLock } from '../../platform/sqlite/writer-lock.ts';
import type { ProjectEmbedders } from '../embedders/project-embedders.ts';
import type { Settings } from '../settings/settings.ts';
import { type IndexRepair, isDefective, repairIndex } from './index-soundness.ts';
import {
  isDamaged,
  type LockWait,
  otherSettings,
  type ProjectIndex,
  type WritingTarget,
} from './project-index.ts';

/** What the runs of a project work with. */
export interface RunParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly index: ProjectIndex;
  readonly embedders: ProjectEmbedders;
  readonly reading: () => Promise<Reading>;
  /** An embedder named for one run must not cost the index the vectors of the one it is made with. */
  readonly keepOtherVectors: boolean;
  /** Settings given for one command must not make a search build another index. */
  readonly isTrial: boolean;
  /** Nor must those of this process alone, or two processes would build one each in turns: only who waits for it builds. */
  readonly buildsOnRequest: boolean;
  /** Whether the settings are others by now than those the project was opened with. */
  readonly isOutdated: () => Promise<boolean>;
}

/** The work on a project's index that several processes must not do at once. */
export interface ProjectRuns {
  /** Brings the index in step with the files: text first, and as soon as that is done others may go on with text. */
  bringInStep(options: IndexOptions & LockWait): AsyncGenerator<IndexEvent>;
  /** Mends the index while nobody else writes anything. */
  repair(signal?: AbortSignal): AsyncGenerator<IndexEvent, IndexRepair>;
}

type RunOptions = TextOptions & LockWait;

/** What a run holds, and where it has got to. */
interface Course {
  /** The lock for text, which is let go when text is in step: vectors may take hours. */
  readonly text: WriterLock;
  /** Whether the lock for vectors is held too, from the beginning to the end. */
  readonly hasVectors: boolean;
  /** Whether it builds another index beside the one that answers. */
  isBeside: boolean;
}

/** Nothing is opened yet. */
export function createRuns(parts: RunParts): ProjectRuns {
  const { index, embedders, keepOtherVectors } = parts;
  const partsOf = async (store: Store, reading: Reading): Promise<IndexingParts> => {
    const { openLocalSource } = await import('../local-source.ts');
    const source = openLocalSource(parts.folder, parts.settings, parts.environment);
    return { source, store, vectors: embedders.sources, reading };
  };
  /** Work with vectors; it learns whether somebody else is at it already. */
  const withVectors = (
    course: Course,
    options: RunOptions,
    work: (isAlone: boolean) => AsyncGenerator<IndexEvent>,
  ): AsyncGenerator<IndexEvent> => (course.hasVectors ? work(true) : index.makingVectors(options, work));
  /** Ends a run whose vectors are made by somebody else, or later. */
  const leaveVectors = async function* (
    reading: Reading,
    text: TextRun,
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { makeVectors } = await import('../../indexing/run.ts');
    // While a lock was waited for, the index may have been replaced and closed.
    const current = await partsOf(await index.store(), reading);
    yield* makeVectors(current, text, { ...options, leaveToOthers: true });
  };

  const inPlace = async function* (
    course: Course,
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { takeInText, hasVectorWork, makeVectors } = await import('../../indexing/run.ts');
    const { store } = yield* index.target(reading.recipe);
    const indexing = await partsOf(store, reading);
    // An index that was deleted under a watch needs all files, whatever has been seen of them.
    const isNew = (await store.fact('synced-at')) === undefined;
    const options = { ...given, ...(isNew && { only: undefined }) };
    const text = yield* takeInText(indexing, options);
    yield* index.tidy();
    course.text.release();
    // Whatever was begun for settings that have been taken back since.
    const hasLeftOver = !parts.buildsOnRequest && (await index.hasBeside());
    const vectors = async function* (isAlone: boolean): AsyncGenerator<IndexEvent> {
      // While the lock was waited for, another index may have taken the place of this one.
      if (!isAlone || (await index.store()) !== store) return yield* leaveVectors(reading, text, options);
      if (hasLeftOver && !(await parts.isOutdated())) await index.dropBeside();
      for await (const event of makeVectors(indexing, text, options)) {
        if (event.type === 'index-end' && !keepOtherVectors) await embedders.remember(store);
        yield event;
      }
    };
    const isWork = hasLeftOver || (await hasVectorWork(indexing, options));
    yield* isWork ? withVectors(course, options, vectors) : vectors(true);
  };
  /** Brings the index that answers in step, in whatever way it was cut: the one for the new cut may take hours. */
  const keepFresh = async function* (
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent, TextRun> {
    const { takeInText } = await import('../../indexing/run.ts');
    const indexing = await partsOf(await index.store(), reading);
    return yield* takeInText(indexing, { ...given, full: false, keepOtherCuts: true });
  };
  const beside = async function* (
    course: Course,
    reading: Reading,
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { rebuild } = await import('./rebuild.ts');
    const rebuilding = {
      index,
      embedders,
      reading,
      isOutdated: parts.isOutdated,
      partsOf: ({ store, isBeside }: WritingTarget) => {
        course.isBeside = isBeside;
        return partsOf(store, reading);
      },
      withText: <Result>(work: () => AsyncGenerator<IndexEvent, Result>) => index.writing(options, work),
    };
    yield* rebuild(rebuilding, options);
  };

  const run = async function* (course: Course, given: RunOptions): AsyncGenerator<IndexEvent> {
    const reading = await parts.reading();
    const options = { ...given, keepOtherVectors };
    if (!(await index.needsAnother(reading.recipe))) return yield* inPlace(course, reading, options);
    if (parts.isTrial && !given.wait) throw otherSettings();
    yield* asOneRun(build(course, reading, options));
  };
  const build = async function* (
    course: Course,
    reading: Reading,
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { isLaterRecipe } = await import('../reading/recipe.ts');
    const text = yield* keepFresh(reading, options);
    course.text.release();
    // An earlier version of Quarry leaves the cut of a later one as it is.
    if (isLaterRecipe((await index.recipe()) ?? '', reading.recipe))
      return yield* leaveVectors(reading, text, options);
    const leave = async function* (): AsyncGenerator<IndexEvent> {
      yield { type: 'rebuild-paused' };
      yield* leaveVectors(reading, text, options);
    };
    if (parts.buildsOnRequest && !options.wait) return yield* leave();
    yield* withVectors(course, options, async function* (isAlone) {
      const isWanted = isAlone && !(await parts.isOutdated());
      yield* isWanted ? beside(course, reading, options) : leave();
    });
  };
  /** Work while nobody else writes anything. Whoever waits for the lock for vectors must not hold the one for text. */
  const alone = <Result>(
    options: RunOptions,
    work: (text: WriterLock) => AsyncGenerator<IndexEvent, Result>,
  ): AsyncGenerator<IndexEvent, Result> =>
    index.makingVectors({ wait: true, signal: options.signal }, () => index.writing(options, work));
  const runOrMend = async function* (course: Course, options: RunOptions): AsyncGenerator<IndexEvent> {
    try {
      yield* run(course, options);
    } catch (thrown) {
      if (!isDamaged(thrown) || !(course.isBeside || options.full)) throw thrown;
      // Everything in an index can be made again from the files: one that is beyond reading is begun anew.
      const beginAnew = async function* (text: WriterLock): AsyncGenerator<IndexEvent> {
        if (course.isBeside) await index.dropBeside();
        else if (await isDefective(index, options.signal)) await index.discard();
        yield* run({ text, hasVectors: true, isBeside: false }, options);
      };
      course.text.release();
      yield* course.hasVectors ? index.writing(options, beginAnew) : alone(options, beginAnew);
    }
  };

  return {
    bringInStep: (options) =>
      index.writing(options, (text) => runOrMend({ text, hasVectors: false, isBeside: false }, options)),
    repair: (signal) => {
      const options = { wait: true, signal };
      return alone(options, (text) => {
        const course = { text, hasVectors: true, isBeside: false };
        return repairIndex(index, () => runOrMend(course, options), signal);
      });
    },
  };
}

/** What is met in each of two indexes is told once where it is wrong, and counted once. */
async function* asOneRun(events: AsyncGenerator<IndexEvent>): AsyncGenerator<IndexEvent> {
  const told = new Set<string>();
  const indexed = new Set<string>();
  const deleted = new Set<string>();
  for await (const event of events) {
    const trouble = troubleIn(event);
    if (event.type === 'document-indexed') indexed.add(event.uri);
    if (event.type === 'document-deleted') deleted.add(event.uri);
    if (event.type === 'index-end') {
      const { documents } = event.summary;
      const before = indexed.size - documents.indexed;
      const unchanged = Math.max(0, documents.unchanged - Math.max(0, before));
      const counted = { ...documents, unchanged, indexed: indexed.size, deleted: deleted.size };
      yield { ...event, summary: { ...event.summary, documents: counted } };
    } else if (trouble === undefined || !told.has(trouble)) yield event;
    if (trouble !== undefined) told.add(trouble);
  }
}

function troubleIn(event: IndexEvent): string | undefined {
  switch (event.type) {
    case 'root-failed':
      return `${event.type} ${event.error.message}`;
    case 'document-failed':
    case 'document-degraded':
      return `${event.type} ${event.uri} ${event.reason}`;
    case 'secrets-redacted':
      return `${event.type} ${event.uri}`;
    default:
      return undefined;
  }
}
