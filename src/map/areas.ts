import { type Rows, seededRandom } from './principal-axes.ts';

/** Chunks that mean alike, and the words that set them off from the others. */
export interface Area {
  /** The words that are frequent in it and rare elsewhere, the most distinctive first. */
  readonly words: readonly string[];
  readonly chunks: number;
}

/** Areas of a map, and which one each chunk belongs to. */
export interface Areas {
  readonly areas: readonly Area[];
  readonly areaOf: Uint8Array;
}

const bounds = { min: 2, max: 14 };
/** Rows that centres are looked for in, and rounds in which they move. */
const search = { rows: 6000, rounds: 12 };
const wordsShown = 3;
/** Rows whose words are counted: the names of a large corpus are the same from a fair part of it. */
const countedRows = 10_000;
/** A word names an area if at least so many of its chunks, and this share of them, have it. */
const named = { chunks: 2, share: 0.06 };

/**
 * Groups rows by where they lie along their axes, the largest group first, and names each by words: those that its chunks have
 * more often than chance and the others seldom. Nothing in it is random between runs.
 */
export function areasOf(rows: Rows, words: readonly (readonly string[])[]): Areas {
  const { count } = rows;
  if (count === 0) return { areas: [], areaOf: new Uint8Array() };
  const wanted = Math.max(bounds.min, Math.min(bounds.max, Math.round(Math.sqrt(count / 4))));
  const centres = centresOf(rows, Math.min(wanted, count));
  const groupOf = Uint8Array.from({ length: count }, (_, row) => nearestCentre(rows, row, centres));
  const sizes = new Map<number, number>();
  for (const group of groupOf) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const order = [...sizes].sort(([one, a], [other, b]) => b - a || one - other).map(([group]) => group);
  const place = new Map(order.map((group, at) => [group, at]));
  const areaOf = groupOf.map((group) => place.get(group) ?? 0);
  const everywhere = new Map<string, number>();
  const within = order.map(() => new Map<string, number>());
  const counted = order.map(() => 0);
  const step = Math.ceil(count / countedRows);
  for (let row = 0; row < count; row += step) {
    const area = areaOf[row] ?? 0;
    counted[area] = (counted[area] ?? 0) + 1;
    for (const word of words[row] ?? []) {
      everywhere.set(word, (everywhere.get(word) ?? 0) + 1);
      const inArea = within[area];
      inArea?.set(word, (inArea.get(word) ?? 0) + 1);
    }
  }
  const areas = order.map((group, at) => {
    const own = within[at] ?? new Map<string, number>();
    const named = distinctive(own, counted[at] ?? 0, everywhere, Math.ceil(count / step));
    return { words: named, chunks: sizes.get(group) ?? 0 };
  });
  return { areas, areaOf };
}

function distinctive(
  own: ReadonlyMap<string, number>,
  size: number,
  everywhere: ReadonlyMap<string, number>,
  count: number,
): string[] {
  const scored = [...own]
    .filter(([, chunks]) => chunks >= Math.min(named.chunks, size) && chunks >= size * named.share)
    .map(([word, chunks]) => {
      const others = Math.max(1, count - size);
      const elsewhere = ((everywhere.get(word) ?? 0) - chunks) / others;
      const share = chunks / size;
      // What stands in most chunks names nothing, in whatever language it is.
      const rarity = Math.log(count / (everywhere.get(word) ?? chunks));
      return [word, share * Math.log((share + 0.01) / (elsewhere + 0.01)) * rarity] as const;
    })
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  const chosen: string[] = [];
  for (const [word, score] of scored) {
    if (chosen.length === wordsShown || score <= 0) break;
    // "boat" and "boats" say the same.
    if (!chosen.some((other) => other.startsWith(word.slice(0, 5)) || word.startsWith(other.slice(0, 5))))
      chosen.push(word);
  }
  return chosen;
}

/** Centres by k-means from rows that lie far from each other. */
function centresOf(rows: Rows, wanted: number): Float32Array {
  const { values, count, width } = rows;
  const random = seededRandom(5);
  const step = Math.max(1, Math.floor(count / search.rows));
  const sample = Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
  const centres = new Float32Array(wanted * width);
  const nearest = new Float32Array(sample.length).fill(Number.POSITIVE_INFINITY);
  let next = sample[Math.floor(random() * sample.length)] ?? 0;
  for (let centre = 0; centre < wanted; centre += 1) {
    centres.set(values.subarray(next * width, next * width + width), centre * width);
    let sum = 0;
    for (const [at, row] of sample.entries()) {
      nearest[at] = Math.min(nearest[at] as number, distance(rows, row, centres, centre));
      sum += nearest[at] as number;
    }
    // Far rows are likelier: the farthest of all would be one that belongs nowhere.
    next = drawn(sample, nearest, random() * sum);
  }
  for (let round = 0; round < search.rounds; round += 1) moveCentres(rows, sample, centres, wanted);
  return centres;
}

/** The row at which the weights of those before it reach a share of all. */
function drawn(sample: readonly number[], weights: Float32Array, share: number): number {
  let left = share;
  for (const [at, row] of sample.entries()) {
    left -= weights[at] as number;
    if (left <= 0) return row;
  }
  return sample.at(-1) ?? 0;
}

function moveCentres(rows: Rows, sample: readonly number[], centres: Float32Array, wanted: number): void {
  const { values, width } = rows;
  const sums = new Float64Array(wanted * width);
  const counts = new Uint32Array(wanted);
  for (const row of sample) {
    const centre = nearestCentre(rows, row, centres);
    counts[centre] = (counts[centre] as number) + 1;
    for (let axis = 0; axis < width; axis += 1)
      sums[centre * width + axis] =
        (sums[centre * width + axis] as number) + (values[row * width + axis] as number);
  }
  for (let centre = 0; centre < wanted; centre += 1)
    for (let axis = 0; axis < width && (counts[centre] as number) > 0; axis += 1)
      centres[centre * width + axis] = (sums[centre * width + axis] as number) / (counts[centre] as number);
}

function nearestCentre(rows: Rows, row: number, centres: Float32Array): number {
  let [best, min] = [0, Number.POSITIVE_INFINITY];
  for (let centre = 0; centre < centres.length / Math.max(1, rows.width); centre += 1) {
    const away = distance(rows, row, centres, centre);
    if (away < min) [best, min] = [centre, away];
  }
  return best;
}

function distance({ values, width }: Rows, row: number, centres: Float32Array, centre: number): number {
  let sum = 0;
  for (let axis = 0; axis < width; axis += 1)
    sum += ((values[row * width + axis] as number) - (centres[centre * width + axis] as number)) ** 2;
  return sum;
}
