/** The tokens of a text in little room: of each token's vector one bit a value, its sign, in a row of `rowBytes(columns)` bytes. */
export type TokenSketch = Uint8Array;

/** Bytes of one token whose vector has this many values. */
export function rowBytes(columns: number): number {
  return Math.ceil(columns / 8);
}

/** The sketch of blocks of vectors that follow one another, of any length. */
export function sketchOf(blocks: readonly Float32Array[], columns: number): Uint8Array<ArrayBuffer> {
  const bytes = rowBytes(columns);
  const tokens = blocks.reduce((sum, block) => sum + Math.floor(block.length / columns), 0);
  const sketch = new Uint8Array(tokens * bytes);
  let row = 0;
  for (const block of blocks) {
    for (let start = 0; start + columns <= block.length; start += columns, row += bytes) {
      for (let column = 0; column < columns; column += 1) {
        if ((block[start + column] as number) <= 0) continue;
        const at = row + (column >> 3);
        sketch[at] = (sketch[at] as number) | (1 << (column & 7));
      }
    }
  }
  return sketch;
}

/** Tells how well sketches cover a query. */
export interface SketchScorer {
  /**
   * For each token of the query the nearest token of the sketch, by the cosine as far as signs tell it, averaged; -1 where
   * either has none.
   */
  score(sketch: TokenSketch): number;
}

/** A scorer for the vectors of a query's tokens, which are of unit length. */
export function createSketchScorer(query: Float32Array, columns: number): SketchScorer {
  const bytes = rowBytes(columns);
  const tables = Array.from({ length: Math.floor(query.length / columns) }, (_, row) =>
    byteTables(query.subarray(row * columns, (row + 1) * columns), bytes),
  );
  const scale = 1 / Math.sqrt(columns);
  return {
    score(sketch) {
      if (tables.length === 0 || sketch.length < bytes) return -1;
      let sum = 0;
      for (const table of tables) sum += bestRow(table, sketch, bytes);
      return (sum / tables.length) * scale;
    },
  };
}

/** For each byte of a row and each value that it may have, what its eight signs add to the product with the vector. */
function byteTables(vector: Float32Array, bytes: number): Float32Array {
  const tables = new Float32Array(bytes * 256);
  for (let place = 0; place < bytes; place += 1) {
    const values = Array.from({ length: 8 }, (_, bit) => vector[place * 8 + bit] ?? 0);
    const at = place * 256;
    tables[at] = -values.reduce((sum, value) => sum + value, 0);
    for (let byte = 1; byte < 256; byte += 1) {
      const lowest = 31 - Math.clz32(byte & -byte);
      tables[at + byte] = (tables[at + (byte & (byte - 1))] as number) + 2 * (values[lowest] as number);
    }
  }
  return tables;
}

function bestRow(tables: Float32Array, sketch: TokenSketch, bytes: number): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let start = 0; start + bytes <= sketch.length; start += bytes) {
    let product = 0;
    for (let place = 0; place < bytes; place += 1) {
      product += tables[place * 256 + (sketch[start + place] as number)] as number;
    }
    if (product > best) best = product;
  }
  return best;
}
