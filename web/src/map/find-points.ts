import type { Points } from './points.ts';
import type { Place } from './sight.ts';

/** The point nearest to a place, no further away than this along one axis; undefined where there is none. */
export function nearestPoint({ places }: Points, at: Place, reach: number): number | undefined {
  let [best, least] = [-1, reach ** 2];
  for (let point = 0; point < places.length / 2; point += 1) {
    const distance =
      ((places[point * 2] as number) - at.x) ** 2 + ((places[point * 2 + 1] as number) - at.y) ** 2;
    if (distance < least) [best, least] = [point, distance];
  }
  return best < 0 ? undefined : best;
}

/** The points within a polygon. */
export function pointsInside({ places }: Points, polygon: readonly Place[]): number[] {
  const found: number[] = [];
  for (let point = 0; point < places.length / 2; point += 1) {
    const [x, y] = [places[point * 2] as number, places[point * 2 + 1] as number];
    let isInside = false;
    for (const [index, a] of polygon.entries()) {
      const b = polygon.at(index - 1) as Place;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
    }
    if (isInside) found.push(point);
  }
  return found;
}
