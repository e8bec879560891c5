import type { z } from 'zod';
import {
  type evalOperation,
  floorSentence,
  metricNames,
  metrics,
  verdictOf,
} from '../../../operations/evaluation/eval.ts';
import type { Output } from '../terminal/output.ts';

type Result = z.output<typeof evalOperation.output>;
type Summary = Result['overall'][number];
type Comparison = Result['comparisons'][number];

/** Warnings of a set that are shown; JSON has all. */
const listedWarnings = 20;
/** Questions that won or lost most, for each comparison. */
const listedQuestions = 3;
const shownColumns = 90;

/** Metrics of every set and run, differences between runs, floors, and warnings. */
export function renderEvaluation(result: Result, output: Output): void {
  renderTable(result, output);
  renderCategories(result, output);
  for (const comparison of result.comparisons) renderComparison(comparison, output);
  renderFloors(result, output);
  for (const set of result.sets) {
    warn(
      set.warnings.map((warning) => `${set.name}: ${warning}`),
      output,
    );
  }
  warn(result.warnings, output);
  for (const file of result.files) output.note(`Written: ${file}`);
  if (result.report !== undefined)
    output.note(`Kept as ${result.report}; compare it with earlier ones: quarry report compare`);
}

function renderTable({ sets, overall, runs }: Result, output: Output): void {
  const rows = sets.flatMap(({ name, summaries }) => summaries.map((summary) => rowOf(name, summary)));
  const all = sets.length > 1 ? overall.map((summary) => rowOf('mean of sets', summary)) : [];
  const header = ['set', ...(runs.length > 1 ? ['run'] : []), 'questions'];
  const head = [...header, ...metrics.map((metric) => metricNames[metric]), 'p50 ms', 'p95 ms'];
  const cells = [...rows, ...all].map(({ set, run, numbers }) => [
    set,
    ...(runs.length > 1 ? [run] : []),
    ...numbers,
  ]);
  table(head, cells, header.length - 1, output);
}

function rowOf(set: string, { run, questions, scores, p50_ms, p95_ms }: Summary) {
  const values = metrics.map((metric) => scores[metric].toFixed(3));
  const numbers = [String(questions), ...values, p50_ms.toFixed(1), p95_ms.toFixed(1)];
  return { set: set, run: run, numbers };
}

function renderCategories({ sets }: Result, output: Output): void {
  const rows = sets.flatMap(({ name, categories }) =>
    categories.map(({ category, run, questions, scores }) => [
      name,
      category,
      run,
      String(questions),
      scores.ndcg_10.toFixed(3),
      scores.recall_10.toFixed(3),
      scores.hit_1.toFixed(3),
    ]),
  );
  if (rows.length === 0) return;
  output.result('');
  table(['set', 'category', 'run', 'questions', 'nDCG@10', 'recall@10', 'hit@1'], rows, 3, output);
}

/** Columns under their heads: words to the left, numbers to the right. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words: number,
  output: Output,
): void {
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < words ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  output.result(output.style('bold', line(head)));
  for (const row of rows) output.result(line(row));
}

/** Shows how two runs differ on a set, and the questions that moved most. */
export function renderComparison(comparison: Comparison, output: Output): void {
  const { set, before, after, difference, interval, real, won, lost, equal } = comparison;
  const colour = real ? (difference > 0 ? 'green' : 'red') : 'yellow';
  output.result('');
  output.result(
    `${set ?? 'mean of sets'}: ${after} against ${before}: ${output.style(colour, verdictOf(comparison))}`,
  );
  output.result(
    `  nDCG@10 ${signed(difference)}, 95 % interval ${signed(interval[0])} to ${signed(interval[1])}; ${won} won, ${lost} lost, ${equal} equal`,
  );
  for (const [label, questions] of [
    ['won ', comparison.most_won],
    ['lost', comparison.most_lost],
  ] as const)
    for (const question of questions.slice(0, listedQuestions)) {
      const change = `${question.before.toFixed(2)} → ${question.after.toFixed(2)}`;
      output.result(`  ${label} ${change}  ${output.style('dim', shortened(question.text))}`);
    }
}

function renderFloors({ floors }: Result, output: Output): void {
  if (floors.length > 0) output.result('');
  for (const floor of floors)
    output.result(output.style(floor.reached ? 'green' : 'red', floorSentence(floor)));
}

/** Notes the floors that were not reached, when the result is written as JSON. */
export function warnOfFloors({ floors }: Result, output: Output): void {
  for (const floor of floors.filter(({ reached }) => !reached))
    output.note(`${output.styleNote('red', 'quarry:')} ${floorSentence(floor)}`);
}

/** A difference with its sign. */
export function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(3)}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > shownColumns ? `${line.slice(0, shownColumns)} …` : line;
}

/** Notes the first warnings, and how many more there are. */
export function warn(warnings: readonly string[], output: Output): void {
  for (const warning of warnings.slice(0, listedWarnings))
    output.note(`${output.styleNote('yellow', 'warning')} ${warning}`);
  if (warnings.length > listedWarnings)
    output.note(`${warnings.length - listedWarnings} more warnings (list: --json)`);
}
