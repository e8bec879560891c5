import type { MapResult, Points } from './points.ts';
import type { Place } from './sight.ts';

/** The name of a crowd of points, at its middle. */
export interface Label extends Place {
  readonly text: string;
}

/** Cells of what is seen, along each axis, in which points are counted. */
const cells = 18;
const maxLabels = 9;
/** The least points of a crowd, and how many of them have to be below one folder to name it so. */
const minPoints = 4;
const minShare = 0.55;
/** How far labels are from each other: cells across and down. */
const apart = { across: 5, down: 2 };

/** Names for the crowds between two corners of the map: the folder, or the file, that most points of a crowd come from. */
export function labelsOf(
  { documents, points: { document } }: MapResult,
  { places }: Points,
  [low, high]: readonly [Place, Place],
): Label[] {
  const crowds = new Map<number, number[]>();
  for (let point = 0; point < document.length; point += 1) {
    const column = Math.floor((((places[point * 2] as number) - low.x) / (high.x - low.x)) * cells);
    const row = Math.floor((((places[point * 2 + 1] as number) - low.y) / (high.y - low.y)) * cells);
    if (column < 0 || row < 0 || column >= cells || row >= cells) continue;
    const cell = row * cells + column;
    const crowd = crowds.get(cell);
    if (crowd) crowd.push(point);
    else crowds.set(cell, [point]);
  }
  const labels: (Label & { readonly cell: number })[] = [];
  for (const [cell, crowd] of [...crowds].sort(([, a], [, b]) => b.length - a.length)) {
    if (labels.length === maxLabels || crowd.length < minPoints) break;
    if (labels.some((other) => isNear(cell, other.cell))) continue;
    const text = nameOf(crowd.map((point) => documents[document[point] ?? 0]?.path ?? ''));
    if (text === '' || labels.some((other) => other.text === text)) continue;
    labels.push({ ...middleOf(crowd, places), text, cell });
  }
  return labels;
}

function isNear(one: number, other: number): boolean {
  return (
    Math.abs((one % cells) - (other % cells)) < apart.across &&
    Math.abs(Math.floor(one / cells) - Math.floor(other / cells)) < apart.down
  );
}

function middleOf(crowd: readonly number[], places: Float32Array): Place {
  let [x, y] = [0, 0];
  for (const point of crowd) {
    x += places[point * 2] as number;
    y += places[point * 2 + 1] as number;
  }
  return { x: x / crowd.length, y: y / crowd.length };
}

/** The longest beginning that most paths share, of which the last two parts are shown. */
function nameOf(paths: readonly string[]): string {
  let shared: string[] = [];
  for (let left = paths.map((path) => path.split('/')); ; ) {
    const depth = shared.length;
    const counts = new Map<string, number>();
    for (const parts of left) {
      const part = parts[depth];
      if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    const [part, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ['', 0];
    if (count < paths.length * minShare) break;
    shared = [...shared, part];
    left = left.filter((parts) => parts[depth] === part);
  }
  return shared.slice(-2).join('/');
}
