import { type Rows, seededRandom } from './principal-axes.ts';

/** Rounds over all points: fewer where there are many, so that the time of a layout has a bound. */
const epochs = { max: 60, min: 12 };
/** Neighbours that are drawn near in all epochs together, unless that were fewer than the least epochs. */
const maxDraws = 12_000_000;
/** Points pushed away for each neighbour that is drawn near. */
const pushes = 4;
/** The longest step of a point along one axis. */
const maxStep = 4;

/**
 * Moves points of a plane so that near rows lie near each other: neighbours are drawn together, others pushed apart, with
 * shrinking steps. It begins at the given places, and the same input gives the same result.
 */
export function layOut(start: Rows, near: Int32Array, neighbours: number): Float32Array<ArrayBuffer> {
  const { count } = start;
  const places = scaled(start);
  const random = seededRandom(3);
  const wanted = Math.round(maxDraws / Math.max(1, count * neighbours));
  const rounds = Math.max(epochs.min, Math.min(epochs.max, wanted));
  for (let round = 0; round < rounds; round += 1) {
    const step = 1 - round / rounds;
    for (let one = 0; one < count; one += 1)
      for (let turn = 0; turn < neighbours; turn += 1) {
        const other = near[one * neighbours + turn] as number;
        if (other < 0) break;
        draw(places, one * 2, other * 2, step);
        for (let push = 0; push < pushes; push += 1)
          pushApart(places, one * 2, Math.floor(random() * count) * 2, step);
      }
  }
  return places;
}

/** The first two axes, as wide as a layout begins. */
function scaled({ values, count, width }: Rows): Float32Array<ArrayBuffer> {
  const places = new Float32Array(count * 2);
  let largest = 1e-9;
  for (let row = 0; row < count; row += 1)
    for (let axis = 0; axis < 2; axis += 1) {
      const value = axis < width ? (values[row * width + axis] as number) : 0;
      places[row * 2 + axis] = value;
      largest = Math.max(largest, Math.abs(value));
    }
  return places.map((value) => (value / largest) * 10);
}

// The two forces run a hundred million times for a large corpus: they make no objects, and name points by where they begin.

function draw(places: Float32Array, one: number, other: number, step: number): void {
  const dx = (places[one] as number) - (places[other] as number);
  const dy = (places[one + 1] as number) - (places[other + 1] as number);
  const force = (-2 * step) / (1 + dx * dx + dy * dy);
  const right = bounded(dx * force);
  const up = bounded(dy * force);
  (places[one] as number) += right;
  (places[one + 1] as number) += up;
  (places[other] as number) -= right;
  (places[other + 1] as number) -= up;
}

function pushApart(places: Float32Array, one: number, other: number, step: number): void {
  const dx = (places[one] as number) - (places[other] as number);
  const dy = (places[one + 1] as number) - (places[other + 1] as number);
  const square = dx * dx + dy * dy;
  const force = (2 * step) / ((0.01 + square) * (1 + square));
  (places[one] as number) += bounded(dx * force);
  (places[one + 1] as number) += bounded(dy * force);
}

function bounded(step: number): number {
  return step > maxStep ? maxStep : step < -maxStep ? -maxStep : step;
}
