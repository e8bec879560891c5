import type { IndexEvent } from '../../core/events.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { IndexingParts, IndexOptions } from '../../indexing/run.ts';
import type { Environment } from '../../platform/environment.ts';
import type { WriterLock } from '../../platform/writer-lock.ts';
import type { ProjectEmbedders } from '../embedders/project-embedders.ts';
import type { Settings } from '../settings/settings.ts';
import { type IndexRepair, repairIndex } from './index-soundness.ts';
import { busy, isDamaged, type LockWait, type ProjectIndex, type WritingTarget } from './project-index.ts';

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
}

/** The work on a project's index that several processes must not do at once. */
export interface ProjectRuns {
  /** Brings the index in step with the files: text first, and as soon as that is done others may go on with text. */
  bringInStep(options: RunOptions): AsyncGenerator<IndexEvent>;
  /** Mends the index while nobody else writes anything. */
  repair(signal?: AbortSignal): AsyncGenerator<IndexEvent, IndexRepair>;
}

type RunOptions = IndexOptions & LockWait;

/** What a run holds and where it has got to. */
interface Course {
  readonly text: WriterLock;
  /** Whether the lock for vectors is held too, from the beginning to the end. */
  readonly isAlone: boolean;
  /** Whether the lock for text was let go. */
  isTextFree: boolean;
  /** Whether it builds another index beside the one that answers. */
  isBeside: boolean;
}

/** Nothing is opened yet. */
export function createRuns(parts: RunParts): ProjectRuns {
  const { index, embedders, keepOtherVectors } = parts;
  const partsOf = async ({ store }: WritingTarget, reading: Reading): Promise<IndexingParts> => {
    const { openLocalSource } = await import('../local-source.ts');
    const source = openLocalSource(parts.folder, parts.settings, parts.environment);
    return { source, store, vectors: embedders.sources, reading };
  };
  /** Work with vectors; it learns whether somebody else is at it already. */
  const withVectors = (
    course: Course,
    options: RunOptions,
    work: (isAlone: boolean) => AsyncGenerator<IndexEvent>,
  ): AsyncGenerator<IndexEvent> => (course.isAlone ? work(true) : index.makingVectors(options, work));

  const inPlace = async function* (
    course: Course,
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { takeInText, hasVectorWork, makeVectors } = await import('../../indexing/run.ts');
    const target = yield* index.target(reading.recipe, { mayBuild: false });
    const indexing = await partsOf(target, reading);
    // An index that was deleted under a watch needs all files, whatever has been seen of them.
    const isNew = (await target.store.fact('synced-at')) === undefined;
    const options = { ...given, ...(isNew && { only: undefined }), keepOtherVectors };
    const text = yield* takeInText(indexing, options);
    yield* index.tidy();
    // Vectors may take hours.
    course.isTextFree = !course.isAlone;
    if (course.isTextFree) course.text.release();
    const vectors = async function* (isAlone: boolean): AsyncGenerator<IndexEvent> {
      // While the lock was waited for, another index may have taken the place of this one.
      const leaveToOthers = !isAlone || (await index.store()) !== target.store;
      yield* makeVectors(indexing, text, { ...options, leaveToOthers });
    };
    const isWork = await hasVectorWork(indexing, options);
    for await (const event of isWork ? withVectors(course, options, vectors) : vectors(true)) {
      if (event.type === 'index-end' && !keepOtherVectors) await embedders.remember(target.store);
      yield event;
    }
  };
  const beside = async function* (
    course: Course,
    reading: Reading,
    given: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const { takeInText, makeVectors } = await import('../../indexing/run.ts');
    const { isUnfinished } = await import('../../indexing/refused-texts.ts');
    const target = yield* index.target(reading.recipe, { mayBuild: given.wait || !parts.isTrial });
    course.isBeside = target.isBeside;
    const indexing = await partsOf(target, reading);
    // It needs all files, and all of its vectors before it answers.
    const options = { ...given, only: undefined, giveWay: undefined, keepOtherVectors };
    const text = yield* takeInText(indexing, options);
    let pending = 0;
    for await (const event of makeVectors(indexing, text, options)) {
      if (event.type === 'vectors-failed' && isUnfinished(event)) pending = event.pending;
      if (event.type === 'index-end') {
        if (!keepOtherVectors) await embedders.remember(target.store);
        if (pending > 0 && (await wouldLoseVectors(target))) yield { type: 'index-kept-back', pending };
        else await index.replace(target);
        yield* index.tidy();
      }
      yield event;
    }
  };
  /** Whether questions could no longer be answered by vectors, as they are now, if this took the place of the index. */
  const wouldLoseVectors = async (target: WritingTarget): Promise<boolean> =>
    target.isBeside &&
    (await embedders.coversWhole(await index.store())) &&
    !(await embedders.coversWhole(target.store));

  const run = async function* (course: Course, options: RunOptions): AsyncGenerator<IndexEvent> {
    const reading = await parts.reading();
    if (!(await index.needsAnother(reading.recipe))) return yield* inPlace(course, reading, options);
    yield* withVectors(course, { ...options, giveWay: undefined }, (isAlone) => {
      if (!isAlone) throw busy();
      return beside(course, reading, options);
    });
  };
  const runOrMend = async function* (
    text: WriterLock,
    isAlone: boolean,
    options: RunOptions,
  ): AsyncGenerator<IndexEvent> {
    const course: Course = { text, isAlone, isTextFree: false, isBeside: false };
    try {
      yield* run(course, options);
    } catch (thrown) {
      if (!isDamaged(thrown) || !(course.isBeside || options.full)) throw thrown;
      // Everything in an index can be made again from the files: one that is beyond reading is begun anew.
      const beginAnew = async function* (held: WriterLock): AsyncGenerator<IndexEvent> {
        if (course.isBeside) await index.dropBeside();
        else await index.discard();
        yield* run({ ...course, text: held, isTextFree: false }, options);
      };
      yield* course.isTextFree ? index.writing(options, beginAnew) : beginAnew(text);
    }
  };

  return {
    bringInStep: (options) => index.writing(options, (text) => runOrMend(text, false, options)),
    repair: (signal) => {
      const options = { wait: true, signal };
      return index.writing(options, (text) =>
        index.makingVectors(options, () => repairIndex(index, () => runOrMend(text, true, options), signal)),
      );
    },
  };
}
