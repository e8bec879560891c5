import { type Rows, seededRandom } from './principal-axes.ts';

const epochs = 60;
/** Points pushed away for each neighbour that is drawn near. */
const pushes = 4;
/** The longest step of a point along one axis. */
const longestStep = 4;

/**
 * Moves points of a plane so that near rows lie near each other: neighbours are drawn together, others pushed apart, with
 * shrinking steps. It begins at the given places, and the same input gives the same result.
 */
export function layOut(start: Rows, near: Int32Array, neighbours: number): Float32Array {
  const { count } = start;
  const places = scaled(start);
  const random = seededRandom(3);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    const step = 1 - epoch / epochs;
    for (let one = 0; one < count; one += 1)
      for (let turn = 0; turn < neighbours; turn += 1) {
        const other = near[one * neighbours + turn] as number;
        if (other < 0) break;
        draw(places, one, other, step);
        for (let push = 0; push < pushes; push += 1)
          pushApart(places, one, Math.floor(random() * count), step);
      }
  }
  return places;
}

/** The first two axes, as wide as a layout begins. */
function scaled({ values, count, width }: Rows): Float32Array {
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

function draw(places: Float32Array, one: number, other: number, step: number): void {
  const [dx, dy, square] = between(places, one, other);
  if (square === 0) return;
  const force = (-2 * step) / (1 + square);
  move(places, one, dx * force, dy * force);
  move(places, other, -dx * force, -dy * force);
}

function pushApart(places: Float32Array, one: number, other: number, step: number): void {
  if (one === other) return;
  const [dx, dy, square] = between(places, one, other);
  const force = (2 * step) / ((0.01 + square) * (1 + square));
  move(places, one, dx * force, dy * force);
}

function between(places: Float32Array, one: number, other: number): [number, number, number] {
  const dx = (places[one * 2] as number) - (places[other * 2] as number);
  const dy = (places[one * 2 + 1] as number) - (places[other * 2 + 1] as number);
  return [dx, dy, dx * dx + dy * dy];
}

function move(places: Float32Array, point: number, dx: number, dy: number): void {
  const bounded = (step: number): number => Math.max(-longestStep, Math.min(longestStep, step));
  (places[point * 2] as number) += bounded(dx);
  (places[point * 2 + 1] as number) += bounded(dy);
}
