import { counted, plainly, plural } from '../shell/words.ts';
import { colourOfArea, type MapResult, nameOfArea, type Points } from './points.ts';

/** What an area has: the chunks, the documents they are of, when they were written, and how many say the same as another. */
export interface AreaFacts {
  readonly area: number;
  readonly points: readonly number[];
  readonly documents: number;
  /** Days since 1970. */
  readonly oldest: number;
  readonly newest: number;
  readonly copies: number;
}

/** The facts of each area, in the order of the areas. */
export function factsOf({ areas, points }: MapResult): readonly AreaFacts[] {
  const members = areas.map((): number[] => []);
  for (const [point, area] of points.area.entries()) members[area]?.push(point);
  return members.map((own, area) => ({
    area,
    points: own,
    documents: new Set(own.map((point) => points.document[point])).size,
    oldest: own.reduce((min, point) => Math.min(min, points.day[point] ?? min), Number.POSITIVE_INFINITY),
    newest: own.reduce((max, point) => Math.max(max, points.day[point] ?? 0), 0),
    copies: own.filter((point) => (points.copy[point] ?? -1) >= 0).length,
  }));
}

const orders = {
  size: 'Largest first',
  old: 'Oldest first',
  new: 'Newest first',
  copies: 'Most copies first',
};
export type Order = keyof typeof orders;

/** How two areas are compared in each order: one with anything older is older, and one with anything newer is newer. */
export const comparedBy: Readonly<Record<Order, (one: AreaFacts, other: AreaFacts) => number>> = {
  size: (one, other) => other.points.length - one.points.length,
  old: (one, other) => one.oldest - other.oldest || one.newest - other.newest,
  new: (one, other) => other.newest - one.newest || other.oldest - one.oldest,
  copies: (one, other) => other.copies - one.copies,
};

/** The areas in words; a click sets one off on the map, and offers to search in it. */
export function AreaList({
  map,
  points,
  order,
  onOrder,
  chosen,
  onChoose,
}: {
  map: MapResult;
  points: Points;
  order: Order;
  onOrder: (order: Order) => void;
  chosen: number | undefined;
  onChoose: (facts: AreaFacts) => void;
}) {
  const sorted = factsOf(map).toSorted(comparedBy[order]);
  return (
    <section class="card" aria-label="Areas">
      <select
        aria-label="Order of the areas"
        value={order}
        onChange={(event) => onOrder(event.currentTarget.value as Order)}
      >
        {Object.entries(orders).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <ul class="areas">
        {sorted.map((facts) => {
          const name = nameOfArea(map.areas, facts.area);
          return (
            <li key={facts.area}>
              <button type="button" aria-pressed={chosen === facts.area} onClick={() => onChoose(facts)}>
                <b>
                  <span class="dot" style={{ background: colourOfArea(points, name) }} aria-hidden="true" />
                  {plainly(name)}
                </b>
                <small class="quiet">
                  {plural(facts.points.length, 'chunk')} of {plural(facts.documents, 'document')},{' '}
                  <span class="age">{ageOf(facts)}</span>
                  {facts.copies > 0 && `, ${counted(facts.copies)} said twice`}
                </small>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function ageOf({ oldest, newest }: AreaFacts): string {
  const [from, to] = [oldest, newest].map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  return from === to ? `of ${to}` : `${from} to ${to}`;
}
