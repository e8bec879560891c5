import type { EvaluatedQuestion, EvaluatedSet, RunComparison, RunSummary } from '../evaluation-result.ts';
import { compareOver } from './comparison.ts';
import { halfWidth, type Metric, meanScores, metrics, percentile, type Scores } from './metrics.ts';
import type { AnswerPair, PairedSet } from './paired-runs.ts';

/** The metric by which runs are compared. */
export const comparedMetric: Metric = 'ndcg_10';
/** Questions that are listed as won or lost. */
const listed = 5;

/** The means of a run over its questions. */
export function summarise(run: string, questions: readonly EvaluatedQuestion[]): RunSummary {
  const answers = questions.flatMap(({ answers: all }) => all[run] ?? []);
  const scores = answers.map((answer) => answer.scores);
  return {
    run,
    questions: answers.length,
    scores: meanScores(scores),
    half_widths: eachMetric((metric) => halfWidth(scores.map((own) => own[metric]))),
    p50_ms: percentile(times(answers), 0.5),
    p95_ms: percentile(times(answers), 0.95),
  };
}

/** The means of a run over the questions of each kind; none where no question has a kind. */
export function summariseCategories(run: string, questions: readonly EvaluatedQuestion[]) {
  const groups = Map.groupBy(questions, ({ category }) => category);
  return [...groups]
    .flatMap(([category, own]) => (category === undefined ? [] : { category, ...summarise(run, own) }))
    .sort((a, b) => (a.category < b.category ? -1 : 1));
}

/** The means of a run over several sets, each of the same weight however many questions it has. */
export function summariseSets(run: string, sets: readonly EvaluatedSet[]): RunSummary {
  const own = sets.flatMap(({ summaries }) => summaries.filter((summary) => summary.run === run));
  const answers = sets.flatMap(({ questions }) => questions.flatMap(({ answers: all }) => all[run] ?? []));
  return {
    run,
    questions: answers.length,
    scores: meanScores(own.map(({ scores }) => scores)),
    // Independent means: their variances add up.
    half_widths: eachMetric((metric) =>
      Math.min(1, Math.hypot(...own.map(({ half_widths }) => half_widths[metric])) / Math.max(1, own.length)),
    ),
    p50_ms: percentile(times(answers), 0.5),
    p95_ms: percentile(times(answers), 0.95),
  };
}

function times(answers: readonly { readonly milliseconds: number }[]): number[] {
  return answers.map(({ milliseconds }) => milliseconds);
}

function eachMetric(value: (metric: Metric) => number): Scores {
  return Object.fromEntries(metrics.map((metric) => [metric, value(metric)])) as Record<Metric, number>;
}

/** Compares two runs on each set, and where there are several on all of them together. */
export function compareRuns(
  names: { readonly before: string; readonly after: string },
  pairedSets: readonly PairedSet[],
): RunComparison[] {
  const sets = pairedSets.filter(({ pairs }) => pairs.length > 0);
  const own = sets.map((paired) => ({ set: paired.set, ...comparisonOf(names, [paired]) }));
  return sets.length < 2 ? own : [...own, comparisonOf(names, sets)];
}

function comparisonOf(
  names: { readonly before: string; readonly after: string },
  sets: readonly PairedSet[],
): RunComparison {
  const scored = sets.map(({ pairs }) => pairs.map(scoresIn));
  const gain = ({ before, after }: ReturnType<typeof scoresIn>) => after - before;
  const sorted = scored.flat().sort((a, b) => gain(b) - gain(a));
  const won = sorted.filter((pair) => gain(pair) > 0);
  const lost = sorted.filter((pair) => gain(pair) < 0);
  const { difference, interval, isReal } = compareOver(scored.map((pairs) => pairs.map(gain)));
  return {
    ...names,
    questions: sorted.length,
    difference,
    interval: [...interval],
    real: isReal,
    won: won.length,
    lost: lost.length,
    equal: sorted.length - won.length - lost.length,
    differences: sorted.map(gain),
    most_won: won.slice(0, listed),
    most_lost: lost.slice(-listed).reverse(),
  };
}

function scoresIn({ before, after, ...question }: AnswerPair) {
  return { ...question, before: before.scores[comparedMetric], after: after.scores[comparedMetric] };
}
