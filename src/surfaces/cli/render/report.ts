import type { z } from 'zod';
import { metricNames } from '../../../operations/evaluation/eval.ts';
import type { reportCompareOperation, reportListOperation } from '../../../operations/evaluation/report.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';
import { renderComparison, signed, table, warn } from './eval.ts';

/** Shows the kept evaluations, a run a line, newest first. */
export function renderReports(
  { reports, unreadable }: z.output<typeof reportListOperation.output>,
  output: Output,
): void {
  const rows = reports.flatMap(({ id, created_at, sets, overall }) =>
    overall.map(({ run, questions, scores }) => [
      id,
      localTime(created_at),
      sets.map(({ name }) => name).join(', '),
      run,
      String(questions),
      scores.ndcg_10.toFixed(3),
      scores.recall_10.toFixed(3),
      scores.hit_1.toFixed(3),
    ]),
  );
  if (rows.length === 0) output.result('No evaluation is kept. Make one with: quarry eval questions.jsonl');
  else
    table(['report', 'made', 'sets', 'run', 'questions', 'nDCG@10', 'recall@10', 'hit@1'], rows, 4, output);
  warn(
    unreadable.map((id) => `The report ${id} cannot be read.`),
    output,
  );
}

/** Shows what differs between two runs: each metric, then each set with the questions that moved most. */
export function renderReportComparison(
  { metrics, comparisons, warnings }: z.output<typeof reportCompareOperation.output>,
  output: Output,
): void {
  const rows = metrics.map(({ metric, before, after, difference, interval, real }) => [
    metricNames[metric],
    before.toFixed(3),
    after.toFixed(3),
    signed(difference),
    `${signed(interval[0])} to ${signed(interval[1])}`,
    real ? (difference > 0 ? 'better' : 'worse') : '',
  ]);
  table(['metric', 'before', 'after', 'difference', '95 % interval', ''], rows, 1, output);
  for (const comparison of comparisons) renderComparison(comparison, output);
  warn(warnings, output);
}
