import type { Points } from './points.ts';
import type { Place } from './sight.ts';

/** The point nearest to a place, no further away than this along one axis; undefined where there is none. */
export function nearestPoint({ places }: Points, at: Place, reach: number): number | undefined {
  let [best, min] = [-1, reach ** 2];
  for (let point = 0; point < places.length / 2; point += 1) {
    const distance =
      ((places[point * 2] as number) - at.x) ** 2 + ((places[point * 2 + 1] as number) - at.y) ** 2;
    if (distance < min) [best, min] = [point, distance];
  }
  return best < 0 ? undefined : best;
}

/** The points within a polygon. */
export function pointsInside({ places }: Points, polygon: readonly Place[]): number[] {
  const [xs, ys] = [polygon.map(({ x }) => x), polygon.map(({ y }) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const found: number[] = [];
  for (let point = 0; point < places.length / 2; point += 1) {
    const [x, y] = [places[point * 2] as number, places[point * 2 + 1] as number];
    // Most points are nowhere near: a hand draws hundreds of corners, and each would be looked at.
    if (x < left || x > right || y < low || y > high) continue;
    if (isInside(xs, ys, x, y)) found.push(point);
  }
  return found;
}

function isInside(xs: readonly number[], ys: readonly number[], x: number, y: number): boolean {
  let inside = false;
  for (let corner = 0, previous = xs.length - 1; corner < xs.length; previous = corner, corner += 1) {
    const [ay, by] = [ys[corner] as number, ys[previous] as number];
    if (ay > y === by > y) continue;
    const [ax, bx] = [xs[corner] as number, xs[previous] as number];
    if (x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
