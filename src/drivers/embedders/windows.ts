/** Pieces that neighbouring windows share, so that what is at a cut is seen with its surroundings once. */
const sharedPieces = 32;

/** Cuts a long text into windows of nearly equal length that cover every piece; a short one is one window. */
export function windowsOf(pieces: readonly number[], windowSize: number): (readonly number[])[] {
  if (pieces.length <= windowSize) return [pieces];
  const shared = Math.min(sharedPieces, Math.floor(windowSize / 4));
  const count = Math.ceil((pieces.length - shared) / (windowSize - shared));
  const step = (pieces.length - windowSize) / (count - 1);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.round(index * step);
    return pieces.slice(start, start + windowSize);
  });
}

/** The unit vector that points to the mean of the windows, each weighted by its length. */
export function combineWindows(vectors: readonly Float32Array[], lengths: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  vectors.forEach((vector, index) => {
    const weight = (lengths[index] ?? 0) / euclidean(vector);
    for (let column = 0; column < sum.length; column += 1) {
      sum[column] = (sum[column] as number) + weight * (vector[column] as number);
    }
  });
  const length = euclidean(sum);
  return sum.map((value) => value / length);
}

function euclidean(vector: Float32Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}
