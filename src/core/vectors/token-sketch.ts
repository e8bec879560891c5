import { lanes, type ScanTables, scan, tableLength } from './sketch-scan.ts';

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

/** The scorer that was made last: several projects are asked the same query at once, and its tables take as long as twenty chunks. */
let latest:
  | { readonly query: Float32Array; readonly columns: number; readonly scorer: SketchScorer }
  | undefined;

/**
 * A scorer for the vectors of a query's tokens, which are of unit length; the same one for the same vectors. Sums are counted in 32,000
 * steps of the largest that is possible: a score is known to about a ten-thousandth.
 */
export function sketchScorer(query: Float32Array, columns: number): SketchScorer {
  if (latest?.columns !== columns || !isEqual(latest.query, query))
    latest = { query: query.slice(), columns, scorer: createScorer(query, columns) };
  return latest.scorer;
}

function isEqual(one: Float32Array, other: Float32Array): boolean {
  return one.length === other.length && one.every((value, place) => Object.is(value, other[place]));
}

function createScorer(query: Float32Array, columns: number): SketchScorer {
  const bytes = rowBytes(columns);
  const rows = Array.from({ length: Math.floor(query.length / columns) }, (_, row) =>
    query.subarray(row * columns, (row + 1) * columns),
  );
  const largest = Math.max(...rows.map((row) => row.reduce((sum, value) => sum + Math.abs(value), 0)));
  const steps = 32_000 / (largest || 1);
  const groups = Array.from({ length: Math.ceil(rows.length / lanes) }, (_, group) =>
    scanTables(rows.slice(group * lanes, (group + 1) * lanes), bytes, steps),
  );
  const scale = 1 / (steps * Math.sqrt(columns));
  return {
    score(sketch) {
      if (rows.length === 0 || sketch.length < bytes) return -1;
      const best = scan(groups, sketch, bytes);
      const sum = rows.reduce((total, _, place) => total + (best[place] as number), 0);
      return (sum / rows.length) * scale;
    },
  };
}

/** For each half byte of a row and each value that it may have, what its four signs add to the product with each vector. */
function scanTables(vectors: readonly Float32Array[], bytes: number, steps: number): ScanTables {
  const tables = new Int16Array(tableLength(bytes));
  for (const [lane, vector] of vectors.entries()) {
    for (let half = 0; half < 2 * bytes; half += 1) {
      for (let value = 0; value < 16; value += 1) {
        let sum = 0;
        for (let bit = 0; bit < 4; bit += 1)
          sum += (value & (1 << bit) ? 1 : -1) * (vector[half * 4 + bit] ?? 0);
        tables[(half * 16 + value) * lanes + lane] = Math.round(sum * steps);
      }
    }
  }
  return tables;
}
