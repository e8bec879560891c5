import { counted } from '../../core/text/counted.ts';
import type { EvaluatedSet, Evaluation, RunComparison, RunSummary } from '../evaluation-result.ts';
import { minToDecide } from '../measures/comparison.ts';
import { floorSentence } from '../measures/floors.ts';
import { metricNames, metrics } from '../measures/metrics.ts';
import { differenceChart } from './difference-chart.ts';
import type { Drawing } from './drawing.ts';
import { latencyChart } from './latency-chart.ts';
import { metricChart } from './metric-chart.ts';

/** A table whose first columns are words and the others numbers. */
export interface TableBlock {
  readonly kind: 'table';
  readonly head: readonly string[];
  /** Columns of words. */
  readonly words: number;
  readonly rows: readonly (readonly string[])[];
  /** Rows at the end that sum up the others. */
  readonly totals?: number;
}

/** A part of a report, before it is Markdown or HTML; its texts are not escaped yet. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly tone?: 'good' | 'bad' | 'neutral' | 'quiet';
    }
  | TableBlock
  | { readonly kind: 'chart'; readonly name: string; readonly drawing: Drawing; readonly caption: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'folded'; readonly summary: string; readonly blocks: readonly Block[] };

/** Questions that are listed as the weakest of a set. */
const weakest = 20;
/** Warnings that are listed; the others are only counted. */
const listedWarnings = 50;

/** The whole report in its order: what was measured, what differs, how long it took, what went wrong. */
export function reportBlocks(evaluation: Evaluation): Block[] {
  const { sets, runs, created_at, seconds } = evaluation;
  const questions = sets.reduce((sum, { summaries }) => sum + (summaries[0]?.questions ?? 0), 0);
  const about = `${counted(questions, 'question')} in ${counted(sets.length, 'set')}, ${counted(runs.length, 'run')}, ${seconds.toFixed(0)} s, ${created_at.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    { kind: 'heading', level: 1, text: 'Evaluation' },
    { kind: 'text', text: about, tone: 'quiet' },
    ...verdicts(evaluation),
    { kind: 'heading', level: 2, text: 'Quality' },
    {
      kind: 'chart',
      name: 'metrics',
      drawing: metricChart(evaluation),
      caption: 'Mean over the questions; the thin line is its 95 % interval.',
    },
    summaryTable(evaluation),
    ...categoryBlocks(sets),
    ...evaluation.comparisons.flatMap(comparisonBlocks),
    { kind: 'heading', level: 2, text: 'Time' },
    {
      kind: 'chart',
      name: 'latency',
      drawing: latencyChart(evaluation),
      caption: 'Time of one search, each step of the scale doubles it; marks stand at p50 and p95.',
    },
    ...weakestBlocks(sets),
    ...warningBlocks(evaluation),
    { kind: 'heading', level: 2, text: 'Settings' },
    settingsTable(evaluation),
  ];
}

/** The answer first: one line for each floor, and for each comparison of all sets, or of the only one. */
function verdicts({ comparisons, floors, sets }: Evaluation): Block[] {
  const held = floors.map((floor): Block => {
    const tone = floor.reached ? 'good' : 'bad';
    return { kind: 'text', text: floorSentence(floor), tone };
  });
  const compared = comparisons
    .filter(({ set }) => set === undefined || sets.length === 1)
    .map((comparison): Block => ({ kind: 'text', text: verdictOf(comparison), tone: toneOf(comparison) }));
  return [...held, ...compared];
}

function verdictOf({ set, before, after, questions, difference, interval, real }: RunComparison): string {
  const words = real
    ? `is really ${difference > 0 ? 'better' : 'worse'} than`
    : questions < minToDecide
      ? `has too few questions (${questions}, at least ${minToDecide} are needed) to be judged against`
      : 'shows no real difference to';
  const figures = `nDCG@10 ${signed(difference)}, 95 % interval ${signed(interval[0])} to ${signed(interval[1])}`;
  return `${after} ${words} ${before} on ${set ?? 'the mean of all sets'}: ${figures}.`;
}

function toneOf({ real, difference }: RunComparison): 'good' | 'bad' | 'neutral' {
  return real ? (difference > 0 ? 'good' : 'bad') : 'neutral';
}

function summaryTable({ sets, overall }: Evaluation): TableBlock {
  const rows = sets.flatMap(({ name, summaries }) => summaries.map((summary) => summaryRow(name, summary)));
  const totals = sets.length > 1 ? overall.map((summary) => summaryRow('mean of sets', summary)) : [];
  return {
    kind: 'table',
    head: ['set', 'run', 'questions', ...metrics.map((metric) => metricNames[metric]), 'p50 ms', 'p95 ms'],
    words: 2,
    rows: [...rows, ...totals],
    totals: totals.length,
  };
}

function summaryRow(set: string, { run, questions, scores, p50_ms, p95_ms }: RunSummary): string[] {
  const values = metrics.map((metric) => scores[metric].toFixed(3));
  return [set, run, String(questions), ...values, p50_ms.toFixed(1), p95_ms.toFixed(1)];
}

function categoryBlocks(sets: readonly EvaluatedSet[]): Block[] {
  const rows = sets.flatMap(({ name, categories }) =>
    categories.map(({ category, run, questions, scores }) => [
      name,
      category,
      run,
      String(questions),
      ...metrics.map((metric) => scores[metric].toFixed(3)),
    ]),
  );
  if (rows.length === 0) return [];
  const head = ['set', 'category', 'run', 'questions', ...metrics.map((metric) => metricNames[metric])];
  return [
    { kind: 'heading', level: 3, text: 'By category' },
    { kind: 'table', head, words: 3, rows },
  ];
}

function comparisonBlocks(comparison: RunComparison, at: number): Block[] {
  const { set, before, after, most_won, most_lost } = comparison;
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
  return [
    { kind: 'heading', level: 2, text: `${set ?? 'Mean of sets'}: ${after} against ${before}` },
    { kind: 'text', text: verdictOf(comparison), tone: toneOf(comparison) },
    {
      kind: 'chart',
      name: `difference-${at + 1}`,
      drawing: differenceChart(comparison),
      caption:
        'Each bar is a question. The dashed line is the mean of the differences, the band its 95 % interval: where the band touches zero, the difference may be luck.',
    },
    ...table('won most', most_won),
    ...table('lost most', most_lost),
  ];
}

function weakestBlocks(sets: readonly EvaluatedSet[]): Block[] {
  const lists = sets.flatMap((set): Block[] => {
    const run = set.summaries[0]?.run ?? '';
    const rows = set.questions
      .flatMap(({ text, answers }) => {
        const answer = answers[run];
        return answer ? { text, score: answer.scores.ndcg_10, found: answer.found.slice(0, 3) } : [];
      })
      .filter(({ score }) => score < 1)
      .sort((a, b) => a.score - b.score)
      .slice(0, weakest)
      .map(({ text, score, found }) => [text, found.join(', ') || 'nothing', score.toFixed(2)]);
    if (rows.length === 0) return [];
    const table: Block = { kind: 'table', head: ['question', 'found first', 'nDCG@10'], words: 2, rows };
    return [
      {
        kind: 'folded',
        summary: `${set.name}: weakest answers of ${run} (${rows.length})`,
        blocks: [table],
      },
    ];
  });
  return lists.length === 0 ? [] : [{ kind: 'heading', level: 2, text: 'Weakest answers' }, ...lists];
}

function warningBlocks({ sets, warnings }: Evaluation): Block[] {
  const all = [
    ...warnings,
    ...sets.flatMap((set) => set.warnings.map((warning) => `${set.name}: ${warning}`)),
  ];
  if (all.length === 0) return [];
  const more = all.length - listedWarnings;
  const items = [...all.slice(0, listedWarnings), ...(more > 0 ? [`… and ${more} more`] : [])];
  return [
    { kind: 'heading', level: 2, text: 'Warnings' },
    { kind: 'list', items },
  ];
}

function settingsTable({ runs, sets }: Evaluation): TableBlock {
  const size = sets.map(({ name, documents, chunks }) => [
    name,
    `${counted(documents, 'document')}, ${counted(chunks, 'chunk')}`,
  ]);
  const rows = runs.map(({ name, settings, dense_weight }) => {
    const given = Object.entries(settings).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const mode = dense_weight === undefined ? [] : [dense_weight === 1 ? 'vectors alone' : 'text alone'];
    return [name, [...mode, ...given].join(', ') || 'as configured'];
  });
  return { kind: 'table', head: ['set or run', 'what it is'], words: 2, rows: [...size, ...rows] };
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
