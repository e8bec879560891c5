/**
 * How well a chunk covers a query: for each token of the query the cosine of the nearest token of the chunk,
 * averaged. Both are rows of unit length; -1 where either has none.
 */
export function meanOfBest(query: Float32Array, chunk: Float32Array, columns: number): number {
  const rows = Math.floor(query.length / columns);
  if (rows === 0 || chunk.length < columns) return -1;
  let sum = 0;
  for (let row = 0; row < rows; row += 1) sum += bestCosine(query, row * columns, chunk, columns);
  return sum / rows;
}

function bestCosine(query: Float32Array, at: number, chunk: Float32Array, columns: number): number {
  let best = -1;
  for (let start = 0; start + columns <= chunk.length; start += columns) {
    let cosine = 0;
    for (let column = 0; column < columns; column += 1) {
      cosine += (query[at + column] as number) * (chunk[start + column] as number);
    }
    if (cosine > best) best = cosine;
  }
  return best;
}
