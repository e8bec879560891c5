import { setImmediate } from 'node:timers/promises';
import type { Project } from '../calls/project.ts';
import { interrupted } from '../core/errors.ts';
import type { EvaluationEvent, IndexEvent } from '../core/events.ts';
import { searchCandidates } from '../core/search-options.ts';
import { counted } from '../core/text/counted.ts';
import type { Answer, EvaluatedQuestion, EvaluatedSet } from './evaluation-result.ts';
import type { EvaluationSet, OpenedPart, SetPart } from './evaluation-set.ts';
import { type ChunkLines, chunkLinesOf, foundTexts } from './labels/found-texts.ts';
import { type JudgedAnswer, type JudgedQuestion, judge, type ResolvedLabel } from './labels/judgement.ts';
import { type LabelProblem, labelWarnings } from './labels/label-problem.ts';
import { checkLines, resolveLabels } from './labels/resolve-labels.ts';
import { scoresOf } from './measures/metrics.ts';
import { summarise, summariseCategories } from './measures/summary.ts';
import type { Run } from './plan-runs.ts';

/** State while a set is evaluated. */
interface Tally {
  readonly set: EvaluationSet;
  readonly questions: Map<string, EvaluatedQuestion>;
  /** The labels of each question, the same in every run: a run that reads less must not be judged by fewer. */
  readonly labels: Map<string, readonly ResolvedLabel[]>;
  readonly problems: LabelProblem[];
  readonly warnings: Set<string>;
  /** Questions times runs. */
  readonly total: number;
  done: number;
  documents: number;
  chunks: number;
  unfindable: number;
}

/** How a set is evaluated. */
export interface EvaluateOptions {
  /** Every run uses text search only, so no vectors are needed. */
  readonly textOnly?: boolean;
  readonly signal?: AbortSignal | undefined;
}

const shownPlaces = 10;
/** Questions between two events: one event per question would cost more than some searches. */
const questionsBetweenEvents = 20;
/** Most hits that a search returns. */
const maxHits = 1000;

/** Asks every question of a set in every run, one after another, and sums up. */
export async function* evaluateSet(
  set: EvaluationSet,
  runs: readonly Run[],
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluationEvent, EvaluatedSet> {
  const tally: Tally = {
    set,
    questions: new Map(),
    labels: new Map(),
    problems: [],
    warnings: new Set(set.warnings),
    total: set.parts.reduce((sum, { questions }) => sum + questions.length, 0) * runs.length,
    done: 0,
    documents: 0,
    chunks: 0,
    unfindable: 0,
  };
  // Runs that differ only in what is asked share one opened project.
  const groups = Map.groupBy(runs, ({ settings }) => JSON.stringify(settings));
  for (const part of set.parts) {
    let isFirst = true;
    for (const group of groups.values()) {
      yield* evaluatePart(part, group, isFirst, tally, options);
      isFirst = false;
    }
  }
  return resultOf(tally, runs);
}

function resultOf({ set, ...tally }: Tally, runs: readonly Run[]): EvaluatedSet {
  const questions = [...tally.questions.values()];
  if (set.unjudged > 0)
    tally.warnings.add(`Not asked for want of a label: ${counted(set.unjudged, 'question')}.`);
  if (tally.unfindable > 0)
    tally.warnings.add(
      `Not asked because every label is left out: ${counted(tally.unfindable, 'question')}.`,
    );
  return {
    name: set.name,
    documents: tally.documents,
    chunks: tally.chunks,
    unjudged: set.unjudged + tally.unfindable,
    summaries: runs.map(({ name }) => summarise(name, questions)),
    categories: runs.flatMap(({ name }) => summariseCategories(name, questions)),
    warnings: [...tally.warnings, ...labelWarnings(tally.problems)],
    label_problems: tally.problems,
    questions,
  };
}

async function* evaluatePart(
  part: SetPart,
  runs: readonly Run[],
  isFirst: boolean,
  tally: Tally,
  options: EvaluateOptions,
): AsyncGenerator<EvaluationEvent, void> {
  const opened = await part.open(runs[0]?.settings ?? {}, options.signal);
  try {
    yield* indexPart(opened.project, tally, options);
    if (isFirst) await addPart(part, opened, chunkLinesOf(opened.project), tally);
    for (const run of runs) await ask(opened.project, 'warm up', run, options.signal);
    for (const [index, question] of part.questions.entries()) {
      if (index % questionsBetweenEvents === 0)
        yield { type: 'questions-answered', set: tally.set.name, done: tally.done, total: tally.total };
      tally.done += runs.length;
      const answers = tally.questions.get(question.id)?.answers;
      if (!answers) continue;
      for (const run of runs) answers[run.name] = await answer(opened, question, run, tally, options.signal);
    }
  } finally {
    await opened.close();
  }
}

/** Counts what a part holds, and adds its questions that have a label to find. */
async function addPart(part: SetPart, opened: OpenedPart, linesOf: ChunkLines, tally: Tally): Promise<void> {
  const known = new Map((await opened.project.manifest()).map((entry) => [entry.uri, entry]));
  const { counts } = await opened.project.status({ compare: false });
  tally.documents += counts.documents;
  tally.chunks += counts.chunks;
  for (const question of part.questions) {
    const resolved = resolveLabels(question, opened, known);
    const { labels, problems } = await checkLines(question, resolved, known, linesOf);
    tally.problems.push(...problems);
    if (labels.length === 0) {
      tally.unfindable += 1;
      continue;
    }
    const { id, text, category } = question;
    const kind = category !== undefined && { category };
    tally.labels.set(id, labels);
    tally.questions.set(id, { id, text, ...kind, labels: labels.length, answers: {} });
  }
}

async function* indexPart(
  project: Project,
  tally: Tally,
  { signal, textOnly }: EvaluateOptions,
): AsyncGenerator<IndexEvent, void> {
  // Text is in step when vectors begin; where nobody asks for them, none is made or put into the shared cache.
  const giveWay = textOnly ? { giveWay: AbortSignal.abort() } : {};
  for await (const event of project.index({ ...giveWay, ...(signal && { signal }) })) {
    if (event.type === 'vectors-failed') tally.warnings.add(`${event.error.message} ${event.error.remedy}`);
    if (event.type === 'index-end') {
      const { documents, chunks } = event.summary;
      if (documents.failed > 0)
        tally.warnings.add(`Could not be read: ${counted(documents.failed, 'document')}.`);
      if (chunks.pending > 0 && !textOnly)
        tally.warnings.add(
          `Without a vector, so that only text search sees them: ${counted(chunks.pending, 'chunk')}.`,
        );
    }
    yield event;
  }
}

async function answer(
  opened: OpenedPart,
  { id, text }: JudgedQuestion,
  run: Run,
  tally: Tally,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  // Some searches never wait; without a turn of the event loop Ctrl-C would have no effect.
  await setImmediate();
  if (signal?.aborted) throw interrupted(signal.reason);
  const started = performance.now();
  const { hits, warnings, pending } = await ask(opened.project, text, run, signal);
  const milliseconds = performance.now() - started;
  for (const { message, remedy } of warnings) tally.warnings.add(`${message} ${remedy}`);
  // Another process may have removed vectors: then another model, or text alone, answers.
  if (pending > 0 && run.denseWeight !== 0)
    tally.warnings.add('Some questions were asked while chunks had no vector: ask them again.');
  const labels = tally.labels.get(id) ?? [];
  const { gains, places } = judge(foundTexts(hits, opened), labels);
  return {
    scores: scoresOf(
      gains,
      labels.map(({ grade }) => grade),
    ),
    milliseconds,
    found: places.slice(0, shownPlaces).map((place) => shown(place, opened)),
  };
}

function ask(project: Project, text: string, { denseWeight }: Run, signal: AbortSignal | undefined) {
  return project.search(text, {
    update: false,
    // As many as are ranked in any case: more would change what is measured.
    topK: Math.min(maxHits, searchCandidates),
    // The order of chunks is judged, not how they are shown.
    byDocument: false,
    ...(denseWeight !== undefined && { denseWeight }),
    ...(signal && { signal }),
  });
}

function shown({ uri, lines }: JudgedAnswer['places'][number], { nameOf }: OpenedPart): string {
  return lines ? `${nameOf(uri)}:${lines[0]}-${lines[1]}` : nameOf(uri);
}
