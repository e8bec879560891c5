import type { Evaluation, ReportComparison, RunComparison, RunSummary } from '../evaluation-result.ts';
import { minToDecide } from '../measures/comparison.ts';
import { metricNames, metrics } from '../measures/metrics.ts';
import type { Block, TableBlock } from './blocks.ts';
import { differenceChart } from './difference-chart.ts';
import { metricChart } from './metric-chart.ts';

/** How well each set and run did, as a chart and in figures, and the categories of their questions. */
export function qualityBlocks(evaluation: Evaluation): Block[] {
  return [
    {
      kind: 'chart',
      name: 'metrics',
      drawing: metricChart(evaluation),
      caption: 'Mean over the questions; the thin line is its 95 % interval.',
    },
    summaryTable(evaluation),
    ...categoryBlocks(evaluation),
  ];
}

/** One run alone, and what is wrong with its questions. */
export function runBlocks(evaluation: Evaluation, run: string): Block[] {
  const isOf = (each: { readonly run: string }) => each.run === run;
  const { runs, sets, overall } = evaluation;
  return [
    ...qualityBlocks({
      ...evaluation,
      runs: runs.filter(({ name }) => name === run),
      sets: sets.map((set) => ({
        ...set,
        summaries: set.summaries.filter(isOf),
        categories: set.categories.filter(isOf),
      })),
      overall: overall.filter(isOf),
    }),
    ...warningBlocks(sets.flatMap(({ warnings }) => warnings)),
  ];
}

/** Two runs of kept evaluations: what differs, how sure that is, and which settings changed. */
export function comparedBlocks({
  comparisons,
  metrics: measured,
  before,
  after,
  warnings,
}: ReportComparison): Block[] {
  const rows = measured.map(({ metric, before: earlier, after: later, difference, interval, real }) => [
    metricNames[metric],
    earlier.toFixed(3),
    later.toFixed(3),
    signed(difference),
    `${signed(interval[0])} to ${signed(interval[1])}`,
    real ? (difference > 0 ? 'better' : 'worse') : 'open',
  ]);
  return [
    ...comparisons.flatMap(verdictBlocks),
    ...changedSettings(before.settings, after.settings),
    {
      kind: 'table',
      head: ['metric', 'before', 'after', 'difference', '95 % interval', 'verdict'],
      words: 1,
      rows,
    },
    ...warningBlocks(warnings),
  ];
}

/** What two runs of a set differ by, in words and question by question. */
export function verdictBlocks(comparison: RunComparison, at: number): Block[] {
  return [
    verdictText(comparison),
    {
      kind: 'chart',
      name: `difference-${at + 1}`,
      drawing: differenceChart(comparison),
      caption:
        'Each bar is a question. The dashed line is the mean of the differences, the band its 95 % interval: where the band touches zero, the difference may be luck.',
    },
  ];
}

/** The answer to whether a run is better than another, in one sentence. */
export function verdictText(comparison: RunComparison): Block {
  const { set, before, after, questions, difference, interval, real, won, lost, equal } = comparison;
  const words = real
    ? `is really ${difference > 0 ? 'better' : 'worse'} than`
    : questions < minToDecide
      ? `has too few questions (${questions}, at least ${minToDecide} are needed) to be judged against`
      : 'shows no real difference to';
  const figures = `nDCG@10 ${signed(difference)}, 95 % interval ${signed(interval[0])} to ${signed(interval[1])}`;
  const counts = `${won} won, ${lost} lost, ${equal} equal`;
  return {
    kind: 'text',
    text: `${after} ${words} ${before} on ${set ?? 'the mean of all sets'}: ${figures}; ${counts}.`,
    tone: real ? (difference > 0 ? 'good' : 'bad') : 'neutral',
  };
}

/** The questions that rose and fell most. */
export function movedBlocks({ set, most_won, most_lost }: RunComparison): Block[] {
  const table = (label: string, pairs: RunComparison['most_won']): Block[] =>
    pairs.length === 0
      ? []
      : [
          {
            kind: 'table',
            head: [label, ...(set === undefined ? ['set'] : []), 'before', 'after'],
            words: set === undefined ? 2 : 1,
            rows: pairs.map((pair) => [
              pair.text,
              ...(set === undefined ? [pair.set] : []),
              pair.before.toFixed(2),
              pair.after.toFixed(2),
            ]),
          },
        ];
  return [...table('won most', most_won), ...table('lost most', most_lost)];
}

/** Warnings, where there are any. */
export function warningBlocks(items: readonly string[]): Block[] {
  return items.length === 0 ? [] : [{ kind: 'warnings', items }];
}

function summaryTable({ sets, overall, runs }: Evaluation): TableBlock {
  // A single run needs no name.
  const named = (run: string) => (runs.length > 1 ? [run] : []);
  const row = (set: string, { run, questions, scores, p50_ms, p95_ms }: RunSummary) => [
    set,
    ...named(run),
    String(questions),
    ...metrics.map((metric) => scores[metric].toFixed(3)),
    p50_ms.toFixed(1),
    p95_ms.toFixed(1),
  ];
  const totals = sets.length > 1 ? overall.map((summary) => row('mean of sets', summary)) : [];
  return {
    kind: 'table',
    head: ['set', ...named('run'), 'questions', ...metricHeads, 'p50 ms', 'p95 ms'],
    words: 1 + named('').length,
    rows: [
      ...sets.flatMap(({ name, summaries }) => summaries.map((summary) => row(name, summary))),
      ...totals,
    ],
    totals: totals.length,
  };
}

const metricHeads = metrics.map((metric) => metricNames[metric]);

function categoryBlocks({ sets, runs }: Evaluation): Block[] {
  const named = (run: string) => (runs.length > 1 ? [run] : []);
  const rows = sets.flatMap(({ name, categories }) =>
    categories.map(({ category, run, questions, scores }) => [
      name,
      category,
      ...named(run),
      String(questions),
      ...metrics.map((metric) => scores[metric].toFixed(3)),
    ]),
  );
  if (rows.length === 0) return [];
  return [
    { kind: 'heading', level: 3, text: 'By category' },
    {
      kind: 'table',
      head: ['set', 'category', ...named('run'), 'questions', ...metricHeads],
      words: 2 + named('').length,
      rows,
    },
  ];
}

type Settings = ReportComparison['before']['settings'];

function changedSettings(before: Settings, after: Settings): Block[] {
  const shown = (value: unknown) => (value === undefined ? 'as in the files' : JSON.stringify(value));
  const items = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => [key, shown(before[key]), shown(after[key])] as const)
    .filter(([, earlier, later]) => earlier !== later)
    .map(([key, earlier, later]) => `${key}: ${earlier} → ${later}`);
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
