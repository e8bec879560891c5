import { median } from '../../core/median.ts';
import type { LineText } from './line-text.ts';
import type { Rectangle } from './rectangle.ts';

/** A line of text and where it stands. */
export interface PlacedLine {
  readonly line: Rectangle;
  readonly read: LineText;
}

/** Lines side by side, from left to right. */
export interface Row {
  readonly lines: readonly PlacedLine[];
  /** Whether a paragraph begins with it. */
  readonly isParagraph: boolean;
}

/** A line in the frame of the page, whose text runs from left to right. */
interface Item {
  readonly placed: PlacedLine;
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly height: number;
}

/** Lines as a person reads them: columns one after the other, rows from the top down. */
export function inReadingOrder(lines: readonly PlacedLine[]): Row[] {
  const angle = angleOf(lines);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const items = lines.map((placed): Item => {
    const { center, width, height } = placed.line;
    const across = center.x * cos + center.y * sin;
    return {
      placed,
      left: across - width / 2,
      right: across + width / 2,
      middle: center.y * cos - center.x * sin,
      height,
    };
  });
  return blocksOf(items).flatMap(rowsOf);
}

/** The direction of the page: that of its lines, the long ones counting more. */
function angleOf(lines: readonly PlacedLine[]): number {
  let [x, y] = [0, 0];
  for (const { line } of lines) {
    x += line.width * Math.cos(line.angle);
    y += line.width * Math.sin(line.angle);
  }
  return Math.atan2(y, x);
}

/** A column has so many lines at least, and its lines fill so much of it: cells of a table do not. */
const minColumnLines = 4;
const minFilled = 0.6;
/** Gaps that are looked at for a heading above columns. */
const maxGaps = 12;

function blocksOf(items: readonly Item[]): (readonly Item[])[] {
  if (items.length < 2 * minColumnLines) return [items];
  const columns = splitColumns(items);
  if (columns) return columns.flatMap(blocksOf);
  const gaps = gapsBetween(items).slice(0, maxGaps);
  for (const at of gaps) {
    const above = items.filter(({ middle }) => middle < at);
    const below = items.filter(({ middle }) => middle >= at);
    if (splitColumns(above) || splitColumns(below)) return [...blocksOf(above), ...blocksOf(below)];
  }
  return [items];
}

/** The places between rows that no line crosses, the widest gap first. */
function gapsBetween(items: readonly Item[]): number[] {
  const sorted = [...items].sort((one, other) => one.middle - other.middle);
  const gaps: { at: number; size: number }[] = [];
  for (const [index, item] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next && next.middle - item.middle > item.height / 2)
      gaps.push({ at: (item.middle + next.middle) / 2, size: next.middle - item.middle });
  }
  return gaps.sort((one, other) => other.size - one.size).map(({ at }) => at);
}

/** Two columns of running text beside each other; undefined where there are none. */
function splitColumns(items: readonly Item[]): [Item[], Item[]] | undefined {
  if (items.length < 2 * minColumnLines) return undefined;
  const sorted = [...items].sort((one, other) => one.left - other.left);
  const size = median(items.map(({ height }) => height));
  let reach = -Infinity;
  for (const [at, { left }] of sorted.entries()) {
    const sides: [Item[], Item[]] = [sorted.slice(0, at), sorted.slice(at)];
    if (left - reach > size / 2 && sides.every(isRunningText)) return sides;
    reach = Math.max(reach, sorted[at]?.right ?? reach);
  }
  return undefined;
}

function isRunningText(items: readonly Item[]): boolean {
  if (items.length < minColumnLines) return false;
  const width = Math.max(...items.map(({ right }) => right)) - Math.min(...items.map(({ left }) => left));
  const filled = median(items.map(({ left, right }) => right - left)) / width;
  return filled >= minFilled && width > 6 * median(items.map(({ height }) => height));
}

/** A step down of more than this many usual ones begins a paragraph. */
const paragraphStep = 1.4;

function rowsOf(items: readonly Item[]): Row[] {
  const rows: Item[][] = [];
  for (const item of [...items].sort((one, other) => one.middle - other.middle)) {
    const row = rows.at(-1);
    const first = row?.[0];
    const isBeside = first && Math.abs(first.middle - item.middle) < Math.min(first.height, item.height) / 2;
    if (row && isBeside) row.push(item);
    else rows.push([item]);
  }
  const steps = rows.slice(1).map((row, at) => (row[0]?.middle ?? 0) - (rows[at]?.[0]?.middle ?? 0));
  const step = median(steps);
  return rows.map((row, at) => ({
    lines: row.sort((one, other) => one.left - other.left).map(({ placed }) => placed),
    isParagraph: at === 0 || (steps[at - 1] ?? 0) > paragraphStep * step,
  }));
}
