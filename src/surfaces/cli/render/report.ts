import type { z } from 'zod';
import { comparedBlocks, movedBlocks } from '../../../operations/evaluation/eval.ts';
import type { reportCompareOperation, reportListOperation } from '../../../operations/evaluation/report.ts';
import { localTime } from '../terminal/local-time.ts';
import type { Output } from '../terminal/output.ts';
import { renderBlocks } from './blocks.ts';

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
  const head = ['report', 'made', 'sets', 'run', 'questions', 'nDCG@10', 'recall@10', 'hit@1'];
  if (rows.length === 0) output.result('No evaluation is kept. Make one with: quarry eval questions.jsonl');
  else renderBlocks([{ kind: 'table', head, words: 4, rows }], output);
  renderBlocks(
    [{ kind: 'warnings', items: unreadable.map((id) => `The report ${id} cannot be read.`) }],
    output,
  );
}

/** Shows what differs between two runs, and the questions that moved most. */
export function renderReportComparison(
  compared: z.output<typeof reportCompareOperation.output>,
  output: Output,
): void {
  renderBlocks([...comparedBlocks(compared), ...compared.comparisons.flatMap(movedBlocks)], output);
}
