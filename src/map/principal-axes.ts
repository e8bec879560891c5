/** Vectors of one length, one after the other. */
export interface Rows {
  readonly values: Float32Array<ArrayBuffer>;
  readonly count: number;
  readonly width: number;
}

/** Turns of the iteration: the first axes of texts stand out, so that few are enough. */
const turns = 5;
/** Rows that the axes are found from: these directions are those of the whole, and all rows are placed along them. */
const maxSampled = 6000;

/**
 * The rows along their principal axes, most spread first, by subspace iteration. The same rows give the same result: it
 * begins from fixed numbers, and each axis points where its largest part is positive.
 */
export function alongPrincipalAxes(rows: Rows, axes: number): Rows {
  const { values, count, width } = rows;
  const kept = Math.min(axes, width, count);
  // Evenly over all rows: those of one folder stand together.
  const stride = Math.max(1, count / maxSampled);
  const mean = meanOf(rows);
  let basis = orthonormal(fixedNumbers(width * kept), width, kept);
  for (let turn = 0; turn < turns; turn += 1) {
    const next = new Float64Array(width * kept);
    const along = new Float64Array(kept);
    for (let sampled = 0; sampled < count; sampled += stride) {
      const row = Math.floor(sampled);
      project(values, row * width, mean, basis, along);
      for (let column = 0; column < width; column += 1) {
        const value = (values[row * width + column] as number) - (mean[column] as number);
        for (let axis = 0; axis < kept; axis += 1)
          (next[column * kept + axis] as number) += value * (along[axis] as number);
      }
    }
    basis = orthonormal(next, width, kept);
  }
  turnToPositive(basis, width, kept);
  const result = new Float32Array(count * kept);
  const along = new Float64Array(kept);
  for (let row = 0; row < count; row += 1) {
    project(values, row * width, mean, basis, along);
    result.set(along, row * kept);
  }
  return { values: result, count, width: kept };
}

function meanOf({ values, count, width }: Rows): Float64Array {
  const mean = new Float64Array(width);
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < width; column += 1)
      (mean[column] as number) += values[row * width + column] as number;
  return mean.map((sum) => sum / Math.max(1, count));
}

function project(
  values: Float32Array,
  start: number,
  mean: Float64Array,
  basis: Float64Array,
  along: Float64Array,
): void {
  along.fill(0);
  const kept = along.length;
  for (let column = 0; column < mean.length; column += 1) {
    const value = (values[start + column] as number) - (mean[column] as number);
    for (let axis = 0; axis < kept; axis += 1)
      (along[axis] as number) += value * (basis[column * kept + axis] as number);
  }
}

/** Makes the columns orthogonal and of length one, one after the other. */
function orthonormal(columns: Float64Array, width: number, kept: number): Float64Array {
  const dot = (a: number, b: number): number => {
    let sum = 0;
    for (let row = 0; row < width; row += 1)
      sum += (columns[row * kept + a] as number) * (columns[row * kept + b] as number);
    return sum;
  };
  for (let axis = 0; axis < kept; axis += 1) {
    for (let previous = 0; previous < axis; previous += 1) {
      const share = dot(axis, previous);
      for (let row = 0; row < width; row += 1)
        (columns[row * kept + axis] as number) -= share * (columns[row * kept + previous] as number);
    }
    const length = Math.sqrt(dot(axis, axis)) || 1;
    for (let row = 0; row < width; row += 1) (columns[row * kept + axis] as number) /= length;
  }
  return columns;
}

function turnToPositive(basis: Float64Array, width: number, kept: number): void {
  for (let axis = 0; axis < kept; axis += 1) {
    let largest = 0;
    for (let row = 0; row < width; row += 1) {
      const part = basis[row * kept + axis] as number;
      if (Math.abs(part) > Math.abs(largest)) largest = part;
    }
    if (largest < 0) for (let row = 0; row < width; row += 1) (basis[row * kept + axis] as number) *= -1;
  }
}

function fixedNumbers(count: number): Float64Array {
  const random = seededRandom(1);
  return Float64Array.from({ length: count }, () => random() - 0.5);
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
