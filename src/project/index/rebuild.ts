import { QuarryError } from '../../core/errors.ts';
import type { IndexEvent, IndexSummary } from '../../core/events.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { IndexingParts, IndexOptions, TextRun } from '../../indexing/run.ts';
import type { ProjectEmbedders } from '../embedders/project-embedders.ts';
import type { ProjectIndex, WritingTarget } from './project-index.ts';

/** What an index for other settings is built with. */
export interface RebuildParts {
  readonly index: ProjectIndex;
  readonly embedders: ProjectEmbedders;
  readonly reading: Reading;
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
    // It needs all files, and each of them once.
    const options = { ...given, only: undefined, full: round === 1 && given.full === true };
    const taken = yield* parts.withText(() => takeIn(parts, options, mayLack));
    const made = yield* makeAll(parts, taken, options);
    summary = together(summary, made.summary, began);
    if (!taken.answers && made.isPaused) yield { type: 'rebuild-paused' };
    else if (!taken.answers && made.failed > 0) yield* endWithout(parts, taken.target, options, made.failed);
    else if (!taken.answers) {
      mayLack = round + 1 < mostRounds ? made.left + fewMissing : Number.POSITIVE_INFINITY;
      continue;
    }
    return yield { type: 'index-end', summary };
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
  /** Chunks without a vector because a backend failed. */
  readonly failed: number;
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
  let failed = 0;
  for await (const event of makeVectors(indexing, text, options)) {
    if (event.type === 'vectors-failed' && isUnfinished(event)) failed = event.pending;
    if (event.type === 'vectors-paused') isPaused = true;
    if (event.type === 'index-end') summary = event.summary;
    else yield event;
  }
  if (!summary)
    throw new QuarryError('internal', 'A round ended without a summary.', 'Report this as a defect.');
  if (!options.keepOtherVectors) await embedders.remember(indexing.store);
  return { summary, isPaused, failed, left: await countMissing(indexing) };
}

/** Answers that were there must not go because settings changed; where nothing is lost, the new cut is worth more. */
async function* endWithout(
  parts: RebuildParts,
  target: WritingTarget,
  options: IndexOptions,
  pending: number,
): AsyncGenerator<IndexEvent> {
  const { index, embedders } = parts;
  const former = await embedders.coverage(await index.store());
  if (former > (await embedders.coverage(target.store))) yield { type: 'index-kept-back', pending };
  else yield* parts.withText(() => takeIn(parts, options, Number.POSITIVE_INFINITY));
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
