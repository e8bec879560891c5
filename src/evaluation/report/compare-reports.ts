import { QuarryError } from '../../core/errors.ts';
import type { Evaluation, ReportComparison } from '../evaluation-result.ts';
import { compareOver } from '../measures/comparison.ts';
import { mean, metrics } from '../measures/metrics.ts';
import { notShared, pairedSets } from '../measures/paired-runs.ts';
import { comparedMetric, compareRuns } from '../measures/summary.ts';

/** A kept result, and which of its runs is meant; by default the one that has a counterpart in the other. */
export interface ReportSide {
  readonly id: string;
  readonly evaluation: Evaluation;
  readonly run?: string | undefined;
}

/** Compares two runs question by question, on the questions that both were asked in the same words. */
export function compareReports(before: ReportSide, after: ReportSide): ReportComparison {
  const [beforeRun, afterRun] = runsOf(before, after);
  const first = { evaluation: before.evaluation, run: beforeRun };
  const second = { evaluation: after.evaluation, run: afterRun };
  const sets = pairedSets(first, second);
  const questions = sets.flatMap(({ pairs }) => pairs);
  if (questions.length === 0) throw nothingShared(before.evaluation);
  const names = { before: nameOf(before, beforeRun), after: nameOf(after, afterRun) };
  const filled = sets.filter(({ pairs }) => pairs.length > 0);
  return {
    before: sideOf(before, beforeRun),
    after: sideOf(after, afterRun),
    metrics: metrics.map((metric) => {
      const values = (side: 'before' | 'after') =>
        mean(filled.map(({ pairs }) => mean(pairs.map((pair) => pair[side].scores[metric]))));
      const { difference, interval, isReal } = compareOver(
        filled.map(({ pairs }) =>
          pairs.map((pair) => pair.after.scores[metric] - pair.before.scores[metric]),
        ),
      );
      return {
        metric,
        before: values('before'),
        after: values('after'),
        difference,
        interval: [...interval] as [number, number],
        real: isReal,
      };
    }),
    comparisons: compareRuns(names, sets),
    questions: questions
      .map(({ set, id, text, before: one, after: other }) => ({
        set,
        id,
        text,
        before: one.scores[comparedMetric],
        after: other.scores[comparedMetric],
        found_before: one.found,
        found_after: other.found,
      }))
      .sort((a, b) => b.after - b.before - (a.after - a.before)),
    warnings: sets.flatMap((set) => notShared(set, first)),
  };
}

/** The runs that are meant: those of the same name, of one report the first and the second, else the first of each. */
function runsOf(before: ReportSide, after: ReportSide): [before: string, after: string] {
  const names = ({ evaluation }: ReportSide) => evaluation.runs.map(({ name }) => name);
  for (const side of [before, after])
    if (side.run !== undefined && !names(side).includes(side.run)) throw unknownRun(side, names(side));
  const isSame = before.id === after.id;
  const [first = '', second = first] = names(after);
  const shared = names(after).find((name) => names(before).includes(name));
  const chosen = before.run ?? (isSame ? first : (shared ?? names(before)[0] ?? ''));
  const other = after.run ?? (isSame ? second : names(after).includes(chosen) ? chosen : first);
  if (!isSame || chosen !== other) return [chosen, other];
  throw new QuarryError(
    'usage-invalid',
    'A run cannot be compared with itself.',
    'Name another report or run: quarry report list',
  );
}

function sideOf({ id, evaluation }: ReportSide, run: string): ReportComparison['before'] {
  const { settings = {} } = evaluation.runs.find(({ name }) => name === run) ?? {};
  return { report: id, created_at: evaluation.created_at, run, settings };
}

function nameOf({ id }: ReportSide, run: string): string {
  return `${run} (${id})`;
}

function unknownRun({ id, run }: ReportSide, runs: readonly string[]): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The report ${id} has no run "${run}".`,
    `Use one of: ${runs.join(', ')}`,
  );
}

function nothingShared(before: Evaluation): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The two reports have no question in common.',
    `Evaluate the same sets: ${before.sets.map(({ name }) => name).join(', ')}.`,
  );
}
