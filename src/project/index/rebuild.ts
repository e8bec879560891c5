import { QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import type { IndexSummary } from '../../core/index-summary.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { IndexingParts, IndexOptions, TextRun } from '../../indexing/run.ts';
import type { ProjectEmbedders } from '../embedders/project-embedders.ts';
import type { ProjectIndex, WritingTarget } from './project-index.ts';

/** What an index for other settings is built with. */
export interface RebuildParts {
  readonly index: ProjectIndex;
  readonly embedders: ProjectEmbedders;
  readonly reading: Reading;
  /** Whether the settings are others by now. */
  readonly isOutdated: () => Promise<boolean>;
  /** What a run into this index works with. */
  readonly partsOf: (target: WritingTarget) => Promise<IndexingParts>;
  /** Does work while nobody else writes text. */
  readonly withText: <Result>(
    work: () => AsyncGenerator<IndexEvent, Result>,
  ) => AsyncGenerator<IndexEvent, Result>;
}

/** So few vectors may be made when the new index answers already: those of files that changed at the last moment. */
const fewMissing = 200;
/** Where files change faster than vectors are made, the new index answers after so many rounds all the same. */
const mostRounds = 5;

/**
 * Builds an index for the settings of today beside the one that answers, and lets it take the place of that one; only
 * for who keeps others from making vectors. Those may take hours, in which others take text into the index that answers.
 * So it goes in rounds: text, vectors, the text of what has changed meanwhile, and so on until next to nothing is missing.
 */
export async function* rebuild(parts: RebuildParts, given: IndexOptions): AsyncGenerator<IndexEvent> {
  const began = performance.now();
  let summary: IndexSummary | undefined;
  let mayLack = 0;
  for (let round = 1; ; round += 1) {
    const isFirst = round === 1;
    // It needs all files, and each of them once; what a model has refused it is not asked again.
    const options = {
      ...given,
      only: undefined,
      full: isFirst && given.full === true,
      passOverRefused: !isFirst || given.passOverRefused === true,
    };
    const taken = yield* parts.withText(() => takeIn(parts, options, mayLack));
    const made = yield* makeAll(parts, taken, options);
    summary = together(summary, made.summary, began);
    const end: IndexEvent = { type: 'index-end', summary };
    if (taken.answers) return yield end;
    if (made.isPaused || (await parts.isOutdated())) return yield* [{ type: 'rebuild-paused' } as const, end];
    if (made.left > 0 && (await wouldLoseVectors(parts, taken.target)))
      return yield* [{ type: 'index-kept-back', pending: made.left } as const, end];
    if (made.hasFailed) {
      yield* parts.withText(() => takeIn(parts, { ...options, full: false }, Number.POSITIVE_INFINITY));
      return yield end;
    }
    mayLack = round + 1 < mostRounds ? made.left + fewMissing : Number.POSITIVE_INFINITY;
  }
}

/** An index whose text is in step. */
interface Taken {
  readonly target: WritingTarget;
  readonly indexing: IndexingParts;
  readonly text: TextRun;
  /** Whether it is the one that answers by now. */
  readonly answers: boolean;
}

/** Brings the text of the new index in step and lets it answer, unless more vectors are missing than may be. */
async function* takeIn(
  { index, embedders, reading, partsOf }: RebuildParts,
  options: IndexOptions,
  mayLack: number,
): AsyncGenerator<IndexEvent, Taken> {
  const { takeInText, countMissing } = await import('../../indexing/run.ts');
  const target = yield* index.target(reading.recipe);
  const indexing = await partsOf(target);
  const text = yield* takeInText(indexing, options);
  const answers = !target.isBeside || (await countMissing(indexing)) <= mayLack;
  if (answers) {
    if (!options.keepOtherVectors) await embedders.remember(target.store);
    await index.replace(target);
    yield* index.tidy();
  }
  return { target, indexing, text, answers };
}

/** What became of the vectors of a round. */
interface Made {
  readonly summary: IndexSummary;
  /** Whether something else was to come first. */
  readonly isPaused: boolean;
  /** Whether a backend failed, so that to ask once more is in vain. */
  readonly hasFailed: boolean;
  /** Vectors that are missing in the end, for whatever reason. */
  readonly left: number;
}

async function* makeAll(
  { embedders }: RebuildParts,
  { indexing, text }: Taken,
  options: IndexOptions,
): AsyncGenerator<IndexEvent, Made> {
  const { makeVectors, countMissing } = await import('../../indexing/run.ts');
  const { isUnfinished } = await import('../../indexing/refused-texts.ts');
  let summary: IndexSummary | undefined;
  let isPaused = false;
  let hasFailed = false;
  for await (const event of makeVectors(indexing, text, options)) {
    if (event.type === 'vectors-failed' && isUnfinished(event)) hasFailed = true;
    if (event.type === 'vectors-paused') isPaused = true;
    if (event.type === 'index-end') summary = event.summary;
    else yield event;
  }
  if (!summary)
    throw new QuarryError('internal', 'A round ended without a summary.', 'Report this as a defect.');
  if (!options.keepOtherVectors) await embedders.remember(indexing.store);
  return { summary, isPaused, hasFailed, left: await countMissing(indexing) };
}

/** Answers that were there must not go because settings changed; where none go, the new cut is worth more. */
async function wouldLoseVectors({ index, embedders }: RebuildParts, target: WritingTarget): Promise<boolean> {
  return (await embedders.coverage(await index.store())) > (await embedders.coverage(target.store));
}

/** What all rounds did. */
function together(before: IndexSummary | undefined, last: IndexSummary, began: number): IndexSummary {
  if (!before) return last;
  const { chunks, documents, seconds } = before;
  return {
    ...last,
    documents: {
      ...last.documents,
      unchanged: documents.unchanged,
      indexed: documents.indexed + last.documents.indexed,
      deleted: documents.deleted + last.documents.deleted,
    },
    redacted: before.redacted + last.redacted,
    chunks: {
      ...last.chunks,
      written: chunks.written + last.chunks.written,
      reused: chunks.reused + last.chunks.reused,
      embedded: chunks.embedded + last.chunks.embedded,
      cached: chunks.cached + last.chunks.cached,
    },
    seconds: {
      total: (performance.now() - began) / 1000,
      embedding: seconds.embedding + last.seconds.embedding,
    },
  };
}
