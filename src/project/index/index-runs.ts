import type { Store } from '../../contracts/store.ts';
import type { IndexEvent } from '../../core/events.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { IndexingParts, IndexOptions, TextOptions, TextRun } from '../../indexing/run.ts';
import type { Environment } from '../../platform/environment.ts';
import type { WriterLock } from '../../platform/writer-lock.ts';
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
  /**
   * Whether the settings on disk are others than those the project was opened with, or the index was made by a later
   * version of Quarry: then it must not be made anew, or two processes would do so in turns for ever.
   */
  readonly isOutdated: (recipeOfIndex: string | undefined) => Promise<boolean>;
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
  /** The lock for text. It is let go when text is in step, unless nobody else is to write anything. */
  readonly text: WriterLock;
  /** Whether the lock for vectors is held too, from the beginning to the end. */
  readonly hasVectors: boolean;
  /** Whether both are kept to the end. */
  readonly isAlone: boolean;
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
  const letTextGo = ({ isAlone, text }: Course): void => {
    if (!isAlone) text.release();
  };
  /** Work with vectors; it learns whether somebody else is at it already. */
  const withVectors = (
    course: Course,
    options: RunOptions,
    work: (isAlone: boolean) => AsyncGenerator<IndexEvent>,
  ): AsyncGenerator<IndexEvent> => (course.hasVectors ? work(true) : index.makingVectors(options, work));

  const inPlace = async function* (
    course: Course,
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { takeInText, hasVectorWork, makeVectors } = await import('../../indexing/run.ts');
    const { store } = given.keepOtherCuts
      ? { store: await index.store() }
      : yield* index.target(reading.recipe);
    const indexing = await partsOf(store, reading);
    // An index that was deleted under a watch needs all files, whatever has been seen of them.
    const isNew = (await store.fact('synced-at')) === undefined;
    const options = { ...given, ...(isNew && { only: undefined }) };
    const text = yield* takeInText(indexing, options);
    yield* index.tidy();
    // Vectors may take hours.
    letTextGo(course);
    const vectors = async function* (isAlone: boolean): AsyncGenerator<IndexEvent> {
      // While the lock was waited for, another index may have taken the place of this one.
      const leaveToOthers = !isAlone || (await index.store()) !== store;
      if (isLeftOver && !leaveToOthers) await index.dropBeside();
      yield* makeVectors(indexing, text, { ...options, leaveToOthers });
    };
    // Whatever was begun for settings that have been taken back since.
    const mayRemove = async () =>
      !given.keepOtherCuts && !parts.isTrial && !(await parts.isOutdated(undefined));
    const isLeftOver = (await index.hasBeside()) && (await mayRemove());
    const isWork = isLeftOver || (await hasVectorWork(indexing, options));
    for await (const event of isWork ? withVectors(course, options, vectors) : vectors(true)) {
      if (event.type === 'index-end' && !keepOtherVectors) await embedders.remember(store);
      yield event;
    }
  };
  /** Brings the index that answers in step, in whatever way it was cut: the one for the new cut may take hours. */
  const keepFresh = async function* (
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent, [IndexingParts, TextRun]> {
    const { takeInText } = await import('../../indexing/run.ts');
    const indexing = await partsOf(await index.store(), reading);
    return [indexing, yield* takeInText(indexing, { ...given, full: false, keepOtherCuts: true })];
  };
  const leaveRebuild = async function* (
    [indexing, text]: [IndexingParts, TextRun],
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { makeVectors } = await import('../../indexing/run.ts');
    yield { type: 'rebuild-paused' };
    yield* makeVectors(indexing, text, { ...options, leaveToOthers: true });
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
      partsOf: ({ store, isBeside }: WritingTarget) => {
        course.isBeside = isBeside;
        return partsOf(store, reading);
      },
      withText: <Result>(work: () => AsyncGenerator<IndexEvent, Result>) =>
        course.isAlone ? work() : index.writing(options, work),
    };
    yield* rebuild(rebuilding, options);
  };

  const run = async function* (course: Course, given: RunOptions): AsyncGenerator<IndexEvent> {
    const reading = await parts.reading();
    const options = { ...given, keepOtherVectors };
    if (!(await index.needsAnother(reading.recipe))) return yield* inPlace(course, reading, options);
    if (parts.isTrial && !given.wait) throw otherSettings();
    if (await parts.isOutdated(await index.recipe()))
      return yield* inPlace(course, reading, { ...options, keepOtherCuts: true });
    yield* withoutRepeats(build(course, reading, options));
  };
  const build = async function* (
    course: Course,
    reading: Reading,
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    if (course.isAlone) return yield* beside(course, reading, options);
    const fresh = yield* keepFresh(reading, options);
    letTextGo(course);
    yield* withVectors(course, options, (isAlone) =>
      isAlone ? beside(course, reading, options) : leaveRebuild(fresh, options),
    );
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
        else if (course.isAlone || (await isDefective(index, options.signal))) await index.discard();
        yield* run({ ...course, text, hasVectors: true, isBeside: false }, options);
      };
      letTextGo(course);
      yield* course.isAlone ? beginAnew(course.text) : alone(options, beginAnew);
    }
  };

  return {
    bringInStep: (options) =>
      index.writing(options, (text) =>
        runOrMend({ text, hasVectors: false, isAlone: false, isBeside: false }, options),
      ),
    repair: (signal) => {
      const options = { wait: true, signal };
      return alone(options, (text) => {
        const course = { text, hasVectors: true, isAlone: true, isBeside: false };
        return repairIndex(index, () => runOrMend(course, options), signal);
      });
    },
  };
}

/** What is wrong with a file or a root is met in each of two indexes, and told once. */
async function* withoutRepeats(events: AsyncGenerator<IndexEvent>): AsyncGenerator<IndexEvent> {
  const told = new Set<string>();
  for await (const event of events) {
    const trouble = troubleIn(event);
    if (trouble === undefined || !told.has(trouble)) yield event;
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
