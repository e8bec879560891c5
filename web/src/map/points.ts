import type { ResultOf } from '../api/operations.ts';

export type MapResult = ResultOf<'map'>;
export const colourings = ['type', 'folder', 'age'] as const;
export type Colouring = (typeof colourings)[number];

/** Colours that are told apart in light and in dark, also by most readers who see few colours. */
const palette: readonly string[] = [
  '#3b82c4',
  '#d97a2b',
  '#2f9e77',
  '#c2528b',
  '#8a7bd1',
  '#b8a02a',
  '#5aa9b8',
  '#a5634a',
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
export function pointsOf({ points, documents }: MapResult, by: Colouring): Points {
  const count = points.x.length;
  const places = new Float32Array(count * 2);
  const colours = new Float32Array(count * 3);
  const groups = documents.map((document) => groupOf(document, by));
  const counts = new Map<string, number>();
  for (const document of points.document) {
    const group = groups[document] ?? '';
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const sorted =
    by === 'age'
      ? ages
          .filter(([, name]) => counts.has(name))
          .map(([, name]): [string, number] => [name, counts.get(name) ?? 0])
      : [...counts].sort(([, a], [, b]) => b - a);
  const colourOf = new Map(sorted.map(([name], rank) => [name, partsOf(palette[rank] ?? others)]));
  const coloursOfDocuments = groups.map((group) => colourOf.get(group) ?? []);
  for (let point = 0; point < count; point += 1) {
    places[point * 2] = (points.x[point] ?? 0) / 65_535;
    places[point * 2 + 1] = (points.y[point] ?? 0) / 65_535;
    const colour = coloursOfDocuments[points.document[point] ?? 0] ?? [];
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

function groupOf({ path, type, modified_at }: MapResult['documents'][number], by: Colouring): string {
  if (by === 'type') return type;
  if (by === 'folder') return path.includes('/') ? (path.split('/')[0] ?? '') : 'top level';
  const days = (Date.now() - Date.parse(modified_at)) / day;
  return ages.find(([limit]) => days <= limit)?.[1] ?? 'older';
}
