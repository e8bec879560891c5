import type { ResultOf } from '../api/operations.ts';

export type MapResult = ResultOf<'map'>;
export const colourings = ['area', 'type', 'folder', 'age'] as const;
export type Colouring = (typeof colourings)[number];

/**
 * As many colours as a map has areas. No two are nearer than 20 in CIELAB for readers who see all colours or lack one kind of
 * cone, and none is less than 2 to 1 from the ground of a light or a dark page: found by a search, see the test.
 */
const palette: readonly string[] = [
  '#6978c3',
  '#f0693c',
  '#78c3b4',
  '#960f87',
  '#ff9600',
  '#2d5a5a',
  '#a569ff',
  '#a52d00',
  '#a5b4e1',
  '#695a3c',
  '#6900ff',
  '#c3b487',
  '#a56996',
  '#781ec3',
];
const others = '#8c867c';

/** A name in the legend, with its colour and how many chunks have it. */
export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly count: number;
}

/** Points as a drawing needs them: places from 0 to 1, and colours. */
export interface Points {
  readonly places: Float32Array;
  /** Red, green and blue of each point, from 0 to 1. */
  readonly colours: Float32Array;
  readonly legend: readonly LegendEntry[];
}

/** Prepares points for drawing. */
export function pointsOf(map: MapResult, by: Colouring): Points {
  const { points } = map;
  const count = points.x.length;
  const places = new Float32Array(count * 2);
  const colours = new Float32Array(count * 3);
  const groups = points.x.map((_, point) => groupOf(map, point, by));
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  const sorted =
    by === 'age'
      ? ages
          .filter(([, name]) => counts.has(name))
          .map(([, name]): [string, number] => [name, counts.get(name) ?? 0])
      : [...counts].sort(([, a], [, b]) => b - a);
  const colourOf = new Map(sorted.map(([name], rank) => [name, partsOf(palette[rank] ?? others)]));
  for (let point = 0; point < count; point += 1) {
    places[point * 2] = (points.x[point] ?? 0) / 65_535;
    places[point * 2 + 1] = (points.y[point] ?? 0) / 65_535;
    const colour = colourOf.get(groups[point] ?? '') ?? [];
    for (let part = 0; part < 3; part += 1) colours[point * 3 + part] = colour[part] ?? 0;
  }
  const shown = sorted.slice(0, palette.length).map(([name, size], rank) => ({
    name,
    colour: palette[rank] ?? others,
    count: size,
  }));
  const rest = sorted.slice(palette.length).reduce((sum, [, size]) => sum + size, 0);
  return {
    places,
    colours,
    legend: rest > 0 ? [...shown, { name: 'others', colour: others, count: rest }] : shown,
  };
}

/** Red, green and blue of `#rrggbb`, from 0 to 1. */
function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255);
}

const day = 86_400_000;
const ages: readonly (readonly [days: number, name: string])[] = [
  [7, 'last 7 days'],
  [30, 'last 30 days'],
  [365, 'last year'],
  [Number.POSITIVE_INFINITY, 'older'],
];

function groupOf({ points, documents, areas }: MapResult, point: number, by: Colouring): string {
  if (by === 'area') return nameOfArea(areas, points.area[point] ?? 0);
  const { path = '', type = '' } = documents[points.document[point] ?? 0] ?? {};
  if (by === 'type') return type;
  if (by === 'folder') return path.includes('/') ? (path.split('/')[0] ?? '') : 'top level';
  // When its content was written: all files of a copied folder changed today.
  const days = Date.now() / day - (points.day[point] ?? 0);
  return ages.find(([limit]) => days <= limit)?.[1] ?? 'older';
}

/** An area by its words; one that nothing sets off by its number. */
export function nameOfArea(areas: MapResult['areas'], area: number): string {
  const words = areas[area]?.words ?? [];
  return words.length === 0 ? `area ${area + 1}` : words.join(', ');
}

/** The colour of an area, the same as that of its points. */
export function colourOfArea(points: Points, name: string): string {
  return points.legend.find((entry) => entry.name === name)?.colour ?? others;
}
