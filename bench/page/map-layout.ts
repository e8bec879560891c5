// Where the time of the map goes, and how well it keeps neighbours: principal axes, near rows, the finer layout. Beside it,
// in the same run, finding the neighbours by looking at all rows (timed on some of them), and the two axes alone.
// Usage: npx node bench/page/map-layout.ts [--chunks N] [--width N]
import { parseArgs } from 'node:util';
import { layOut } from '../../src/map/layout.ts';
import { nearRows } from '../../src/map/near-rows.ts';
import { alongPrincipalAxes, type Rows, seededRandom } from '../../src/map/principal-axes.ts';

const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '50000' }, width: { type: 'string', default: '256' } },
});
const chunks = Number(values.chunks);
/** Rows whose neighbours are looked for among all. */
const looked = Math.min(300, chunks);
/** Neighbours of each, and how many nearest points of the plane they are looked for among. */
const [neighbours, within] = [10, 50];

const rows = topics(chunks, Number(values.width));
const exact = timed(() => nearestOf(rows, neighbours));
const axes = timed(() => alongPrincipalAxes(rows, 16));
const near = timed(() => nearRows(axes.result, neighbours));
const layout = timed(() => layOut(axes.result, near.result, neighbours));
const whole = axes.ms + near.ms + layout.ms;
const exactWhole = (exact.ms * chunks) / looked;
console.log(`${chunks} rows of ${rows.width} numbers`);
console.log(
  `principal axes ${seconds(axes.ms)}, near rows ${seconds(near.ms)}, layout ${seconds(layout.ms)}`,
);
console.log(
  `together ${seconds(whole)}; neighbours by looking at all rows would take ${seconds(exactWhole)}, ${(exactWhole / whole).toFixed(0)} times as long`,
);
const first = twoOf(axes.result);
const plane: Rows = { values: layout.result, count: chunks, width: 2 };
console.log(
  `of the ${neighbours} nearest, among the ${within} nearest points: two axes ${percent(kept(first))}, layout ${percent(kept(plane))}`,
);

/** Rows about topics: each topic has a middle and some directions in which its rows differ, and there is noise along all. */
function topics(count: number, width: number): Rows {
  const random = seededRandom(5);
  const normal = (): number => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const vector = (): Float32Array => Float32Array.from({ length: width }, normal);
  const known = Array.from({ length: 60 }, () => ({
    middle: vector(),
    directions: [vector(), vector(), vector()],
  }));
  const numbers = new Float32Array(count * width);
  for (let row = 0; row < count; row += 1) {
    const { middle, directions } = known[Math.floor(random() * known.length)] as (typeof known)[number];
    const along = directions.map(() => normal() * 0.7);
    for (let column = 0; column < width; column += 1) {
      let value = (middle[column] as number) + 0.25 * normal();
      for (const [axis, direction] of directions.entries())
        value += (along[axis] as number) * (direction[column] as number);
      numbers[row * width + column] = value;
    }
  }
  return { values: numbers, count, width };
}

/** The nearest others of some rows, by looking at all. */
function nearestOf({ values: numbers, count, width }: Rows, max: number): number[][] {
  return Array.from({ length: looked }, (_, index) => {
    const one = Math.floor((index * count) / looked);
    const distances = new Float32Array(count);
    for (let other = 0; other < count; other += 1) {
      let distance = 0;
      for (let column = 0; column < width; column += 1) {
        const apart = (numbers[one * width + column] as number) - (numbers[other * width + column] as number);
        distance += apart * apart;
      }
      distances[other] = distance;
    }
    distances[one] = Number.POSITIVE_INFINITY;
    const limit = Float32Array.from(distances).sort()[max - 1] ?? 0;
    const found: number[] = [];
    for (let other = 0; other < count; other += 1)
      if ((distances[other] as number) <= limit) found.push(other);
    return found;
  });
}

/** The share of neighbours that are near in a plane. */
function kept(places: Rows): number {
  const shown = nearestOf(places, within);
  let [right, all] = [0, 0];
  for (const [index, found] of exact.result.entries()) {
    const seen = new Set(shown[index]);
    right += found.filter((other) => seen.has(other)).length;
    all += found.length;
  }
  return right / all;
}

function twoOf({ values: numbers, count, width }: Rows): Rows {
  return {
    values: Float32Array.from(
      { length: count * 2 },
      (_, index) => numbers[(index >> 1) * width + (index % 2)] ?? 0,
    ),
    count,
    width: 2,
  };
}

/** Milliseconds of the processor: others may use the machine meanwhile. */
function timed<Result>(work: () => Result): { readonly result: Result; readonly ms: number } {
  const started = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(started);
  return { result, ms: (user + system) / 1000 };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
