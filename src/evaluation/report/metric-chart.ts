import type { Evaluation, RunSummary } from '../evaluation-result.ts';
import { type Metric, metricNames } from '../measures/metrics.ts';
import { chartWidth, type Drawing, element, label, line, type Shape } from './drawing.ts';
import { oneLine } from './safe-text.ts';

const drawnMetrics: readonly Metric[] = ['ndcg_10', 'recall_10', 'mrr_10', 'hit_1'];
const names = 190;
const gap = 16;
/** Room for the number at the end of each bar. */
const numbers = 38;
const rowHeight = 20;
const barHeight = 13;
const top = 30;
const panel = (chartWidth - names - drawnMetrics.length * gap) / drawnMetrics.length;
const track = panel - numbers;

/** Bars of the main metrics for each set and run, with the 95 % interval of each mean. */
export function metricChart({ sets, overall, runs }: Evaluation): Drawing {
  const groups = sets.map(({ name, summaries }) => ({ name, summaries }));
  if (sets.length > 1) groups.push({ name: 'mean of sets', summaries: overall });
  const elements = drawnMetrics.map((metric, at) => label(panelStart(at), 16, metricNames[metric], 'strong'));
  let y = top;
  for (const { name, summaries } of groups) {
    elements.push(label(0, y + barHeight, oneLine(name, 26), 'strong'));
    // A single run needs no name: its bars have the name of the set.
    if (runs.length > 1) y += rowHeight;
    for (const summary of summaries) {
      const run = runs.findIndex((candidate) => candidate.name === summary.run);
      if (runs.length > 1)
        elements.push(label(10, y + barHeight - 2, oneLine(summary.run, 29), 'muted small'));
      elements.push(
        ...drawnMetrics.flatMap((metric, at) => bar(summary, metric, panelStart(at), y, run % 6)),
      );
      y += rowHeight;
    }
    y += 10;
  }
  const title = 'nDCG@10, recall@10, MRR@10 and hit@1 by set and run, with 95 % intervals';
  return { width: chartWidth, height: y + 10, title, elements: [...gridOf(y - 6), ...elements] };
}

function panelStart(at: number): number {
  return names + gap + at * (panel + gap);
}

function gridOf(bottom: number): Shape[] {
  return drawnMetrics.flatMap((_, at) =>
    [0, 0.25, 0.5, 0.75, 1].flatMap((value) => {
      const x = panelStart(at) + value * track;
      const tick = value % 0.5 === 0 ? [label(x, bottom + 13, String(value), 'muted small', 'middle')] : [];
      return [line(x, top - 6, x, bottom, 'grid'), ...tick];
    }),
  );
}

function bar(summary: RunSummary, metric: Metric, x: number, y: number, run: number): Shape[] {
  const value = summary.scores[metric];
  const half = summary.half_widths[metric];
  const low = x + Math.max(0, value - half) * track;
  const high = x + Math.min(1, value + half) * track;
  const middle = y + barHeight / 2;
  return [
    element('rect', {
      x,
      y,
      width: Math.max(1, value * track),
      height: barHeight,
      rx: 2,
      class: `run${run}`,
    }),
    ...(half > 0
      ? [
          line(low, middle, high, middle, 'whisker'),
          line(low, middle - 3, low, middle + 3, 'whisker'),
          line(high, middle - 3, high, middle + 3, 'whisker'),
        ]
      : []),
    label(x + track + numbers, y + barHeight - 2, value.toFixed(3), 'small number', 'end'),
  ];
}
