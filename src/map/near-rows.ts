import { type Rows, seededRandom } from './principal-axes.ts';

const trees = 8;
const leafSize = 60;

/** For each row the numbers of about its nearest others, `neighbours` of them; -1 where there are fewer. */
export function nearRows(rows: Rows, neighbours: number): Int32Array {
  const { count } = rows;
  const near = new Int32Array(count * neighbours).fill(-1);
  const distances = new Float32Array(count * neighbours).fill(Number.POSITIVE_INFINITY);
  const random = seededRandom(2);
  for (let tree = 0; tree < trees; tree += 1)
    for (const leaf of leavesOf(rows, random))
      for (const one of leaf)
        for (const other of leaf) if (one !== other) offer(rows, near, distances, neighbours, one, other);
  return near;
}

/** Splits the rows by random planes between two of them until the parts are small. */
function* leavesOf({ values, count, width }: Rows, random: () => number): Generator<Int32Array> {
  const waiting = [Int32Array.from({ length: count }, (_, row) => row)];
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (part.length <= leafSize) {
      yield part;
      continue;
    }
    const pick = (): number => (part[Math.floor(random() * part.length)] as number) * width;
    const sides = sidesOf(values, part, pick(), pick(), width);
    let left = part.filter((_, index) => sides[index] === 0);
    let right = part.filter((_, index) => sides[index] === 1);
    // Rows that are all alike have no plane between them.
    if (left.length === 0 || right.length === 0) {
      left = part.slice(0, part.length >> 1);
      right = part.slice(part.length >> 1);
    }
    waiting.push(left, right);
  }
}

/** On which side of the plane in the middle between two rows, given by where they begin, each row of a part lies. */
function sidesOf(
  values: Float32Array,
  part: Int32Array,
  one: number,
  other: number,
  width: number,
): Uint8Array {
  const across = new Float32Array(width);
  let middle = 0;
  for (let column = 0; column < width; column += 1) {
    const from = values[one + column] as number;
    const to = values[other + column] as number;
    across[column] = to - from;
    middle += ((from + to) / 2) * (to - from);
  }
  const sides = new Uint8Array(part.length);
  for (let index = 0; index < part.length; index += 1) {
    const start = (part[index] as number) * width;
    let along = 0;
    for (let column = 0; column < width; column += 1)
      along += (values[start + column] as number) * (across[column] as number);
    sides[index] = along > middle ? 1 : 0;
  }
  return sides;
}

function offer(
  { values, width }: Rows,
  near: Int32Array,
  distances: Float32Array,
  neighbours: number,
  one: number,
  other: number,
): void {
  const start = one * neighbours;
  const worst = distances[start + neighbours - 1] as number;
  let distance = 0;
  for (let column = 0; column < width && distance < worst; column += 1)
    distance += ((values[one * width + column] as number) - (values[other * width + column] as number)) ** 2;
  if (distance >= worst) return;
  for (let place = 0; place < neighbours; place += 1) if (near[start + place] === other) return;
  let place = neighbours - 1;
  for (; place > 0 && (distances[start + place - 1] as number) > distance; place -= 1) {
    distances[start + place] = distances[start + place - 1] as number;
    near[start + place] = near[start + place - 1] as number;
  }
  distances[start + place] = distance;
  near[start + place] = other;
}
