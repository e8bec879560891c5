import { counted } from '../../core/text/counted.ts';
import type { RunComparison } from '../evaluation-result.ts';
import { chartWidth, type Drawing, element, label, line, type Shape } from './drawing.ts';
import { oneLine } from './safe-text.ts';

const left = 48;
const right = 10;
const top = 22;
const plotHeight = 180;
const height = top + plotHeight + 28;
const width = chartWidth - left - right;

/** The difference of every question, the largest gain first: how many won, how many lost, and by how much. */
export function differenceChart(comparison: RunComparison): Drawing {
  const { differences, difference, interval, won, lost, equal, before, after } = comparison;
  const largest = Math.max(0.05, ...differences.slice(0, 1), -(differences.at(-1) ?? 0));
  const limit = [0.1, 0.2, 0.4, 0.6, 0.8].find((candidate) => candidate >= largest) ?? 1;
  const yOf = (value: number) => top + plotHeight / 2 - (value / limit) * (plotHeight / 2);
  const bandTop = yOf(interval[1]);
  const elements = [
    ...[1, 0.5, 0, -0.5, -1].flatMap((share) => {
      const y = yOf(share * limit);
      return [
        line(left, y, left + width, y, share === 0 ? 'axis' : 'grid'),
        label(left - 8, y + 4, signed(share * limit, 2), 'muted small number', 'end'),
      ];
    }),
    area(differences, yOf, 'gain'),
    area(differences, yOf, 'loss'),
    element('rect', {
      x: left,
      y: bandTop,
      width,
      height: Math.max(1, yOf(interval[0]) - bandTop),
      class: 'band',
    }),
    line(left, yOf(difference), left + width, yOf(difference), 'mean'),
    label(left + 4, 14, `${won} won`, 'strong'),
    label(
      left + width,
      14,
      `mean ${signed(difference, 3)} (95 %: ${signed(interval[0], 3)} to ${signed(interval[1], 3)})`,
      'muted',
      'end',
    ),
    label(left + width, height - 10, `${lost} lost`, 'strong', 'end'),
    label(
      left + 4,
      height - 10,
      `${counted(differences.length, 'question')} by difference in nDCG@10, ${equal} equal`,
      'muted',
    ),
  ];
  const title = `Difference in nDCG@10 of ${oneLine(after, 60)} against ${oneLine(before, 60)}, question by question`;
  return { width: chartWidth, height, title, elements };
}

/** All bars of one sign as a single outline, so that thousands of questions stay a small picture. */
function area(
  differences: readonly number[],
  yOf: (value: number) => number,
  className: 'gain' | 'loss',
): Shape {
  const sign = className === 'gain' ? 1 : -1;
  const step = width / Math.max(1, differences.length);
  const space = step > 4 ? 1 : 0;
  const path = differences
    .map((value, at) => {
      if (value * sign <= 0) return '';
      const x = (left + at * step).toFixed(2);
      const y = yOf(value).toFixed(2);
      return `M${x} ${yOf(0).toFixed(2)}V${y}h${(step - space).toFixed(2)}V${yOf(0).toFixed(2)}Z`;
    })
    .join('');
  return element('path', { d: path, class: className });
}

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}
