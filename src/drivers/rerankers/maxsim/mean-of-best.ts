/**
 * How well a passage covers a question: for each token of the question the cosine of the nearest token of the passage,
 * averaged. Both are rows of unit length; -1 where either has none.
 */
export function meanOfBest(question: Float32Array, passage: Float32Array, columns: number): number {
  const rows = Math.floor(question.length / columns);
  if (rows === 0 || passage.length < columns) return -1;
  let sum = 0;
  for (let row = 0; row < rows; row += 1) sum += bestCosine(question, row * columns, passage, columns);
  return sum / rows;
}

function bestCosine(question: Float32Array, at: number, passage: Float32Array, columns: number): number {
  let best = -1;
  for (let start = 0; start + columns <= passage.length; start += columns) {
    let cosine = 0;
    for (let column = 0; column < columns; column += 1) {
      cosine += (question[at + column] as number) * (passage[start + column] as number);
    }
    if (cosine > best) best = cosine;
  }
  return best;
}
