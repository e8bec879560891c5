/** Rows of several blocks in one, each brought to unit length; a row of zeros stays what it is. */
export function joinTokenRows(blocks: readonly Float32Array[], columns: number): Float32Array<ArrayBuffer> {
  const joined = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    for (let start = 0; start < block.length; start += columns, at += columns) {
      let squares = 0;
      for (let column = 0; column < columns; column += 1) squares += (block[start + column] as number) ** 2;
      const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
      for (let column = 0; column < columns; column += 1) {
        joined[at + column] = (block[start + column] as number) * scale;
      }
    }
  }
  return joined;
}
