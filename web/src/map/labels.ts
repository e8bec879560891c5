import { median } from '../../../src/core/median.ts';
import { type MapResult, nameOfArea, type Points } from './points.ts';
import { type Place, pixelAt, type Sight } from './sight.ts';

/** The name of an area, in pixels of what is seen. */
export interface Label extends Place {
  readonly text: string;
  readonly area: number;
}

/** Pixels of a name: its height, one letter, and what is around the letters; and the part at the top where the buttons are. */
const size = { height: 24, letter: 6.6, around: 20, tools: 52 };

/** Names for the areas that are in sight, the largest first, none over another, cut or below the buttons. */
export function labelsOf(
  { areas, points: { area } }: MapResult,
  { places }: Points,
  view: { readonly width: number; readonly height: number },
  sight: Sight,
): Label[] {
  const [xs, ys] = [areas.map((): number[] => []), areas.map((): number[] => [])];
  for (const [point, own] of area.entries()) {
    xs[own]?.push(places[point * 2] as number);
    ys[own]?.push(places[point * 2 + 1] as number);
  }
  const labels: (Label & { readonly half: number })[] = [];
  for (const [own, { chunks }] of areas.entries()) {
    if (chunks === 0) continue;
    // Its middle as most of its points see it: some lie far away.
    const at = pixelAt(view, sight, { x: median(xs[own] ?? []), y: median(ys[own] ?? []) });
    if (at.x < 0 || at.y < 0 || at.x > view.width || at.y > view.height) continue;
    const text = nameOfArea(areas, own);
    const half = Math.min((text.length * size.letter + size.around) / 2, view.width / 2);
    const x = Math.max(half, Math.min(view.width - half, at.x));
    const y = Math.max(size.tools, Math.min(view.height - size.height, at.y));
    const isFree = labels.every(
      (other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > size.height,
    );
    if (isFree) labels.push({ x, y, text, area: own, half });
  }
  return labels;
}
