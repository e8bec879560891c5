import type { Evaluation } from '../evaluation-result.ts';
import { percentile } from '../measures/metrics.ts';
import { chartWidth, type Drawing, element, label, line, type Shape } from './drawing.ts';
import { oneLine } from './safe-text.ts';

const left = 192;
const right = 30;
const width = chartWidth - left - right;
const rowHeight = 62;
const plotHeight = 42;
const top = 16;
/** Bars for each doubling of the time. */
const barsPerDoubling = 4;

/** How long the questions took, run by run, on one scale where each step doubles the time. */
export function latencyChart({ runs, sets }: Evaluation): Drawing {
  const times = runs.map(({ name }) =>
    sets.flatMap(({ questions }) => questions.flatMap(({ answers }) => answers[name]?.milliseconds ?? [])),
  );
  const all = times.flat().map((time) => Math.max(0.1, time));
  const first = Math.floor(Math.log2(all.reduce((min, time) => Math.min(min, time), 1e9)));
  const last = Math.max(first + 2, Math.ceil(Math.log2(all.reduce((max, time) => Math.max(max, time), 0.1))));
  const xOf = (time: number) => left + ((Math.log2(Math.max(0.1, time)) - first) / (last - first)) * width;
  const bottom = top + runs.length * rowHeight;
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => 2 ** (first + at));
  const elements = [
    ...ticks.flatMap((time) => [
      line(xOf(time), top - 8, xOf(time), bottom, 'grid'),
      label(xOf(time), bottom + 16, `${Number(time.toPrecision(3))} ms`, 'muted small number', 'middle'),
    ]),
    ...runs.flatMap(({ name }, at) =>
      row(name, times[at] ?? [], top + at * rowHeight, at % 6, [first, last], xOf),
    ),
  ];
  return { width: chartWidth, height: bottom + 24, title: 'Time of a search, by run', elements };
}

function row(
  name: string,
  times: readonly number[],
  y: number,
  run: number,
  [first, last]: readonly [number, number],
  xOf: (time: number) => number,
): Shape[] {
  const bins = new Array<number>((last - first) * barsPerDoubling).fill(0);
  for (const time of times) {
    const at = Math.floor((Math.log2(Math.max(0.1, time)) - first) * barsPerDoubling);
    const bin = Math.max(0, Math.min(bins.length - 1, at));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const max = Math.max(1, ...bins);
  const step = width / bins.length;
  const base = y + plotHeight;
  const bars = bins.flatMap((count, at) => {
    const height = (count / max) * plotHeight;
    const x = left + at * step;
    return count === 0
      ? []
      : element('rect', { x, y: base - height, width: step - 1, height, class: `run${run}` });
  });
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  return [
    label(0, base - 22, oneLine(name, 24), 'strong'),
    label(0, base - 6, `p50 ${p50.toFixed(1)} ms · p95 ${p95.toFixed(1)} ms`, 'muted small number'),
    line(left, base, left + width, base, 'axis'),
    ...bars,
    ...[p50, p95].map((time) => line(xOf(time), base - plotHeight - 4, xOf(time), base, 'mark')),
  ];
}
