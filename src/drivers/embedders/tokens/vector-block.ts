/** Vectors of one length, one after the other in memory of their own, so that it can be handed over uncopied. */
export interface VectorBlock {
  readonly values: Float32Array<ArrayBuffer>;
  readonly dimensions: number;
}

/** The rows as one block: where they lie in one already, that one; all of them must have the same length. */
export function blockOf(rows: readonly Float32Array[]): VectorBlock {
  const [first] = rows;
  const dimensions = first?.length ?? 0;
  if (first && first.buffer instanceof ArrayBuffer && fills(first.buffer, rows, dimensions)) {
    return { values: new Float32Array(first.buffer), dimensions };
  }
  const values = new Float32Array(dimensions * rows.length);
  for (const [at, row] of rows.entries()) values.set(row, at * dimensions);
  return { values, dimensions };
}

/** The rows of a block, as views of it. */
export function rowsOfBlock({ values, dimensions }: VectorBlock): Float32Array[] {
  const rows: Float32Array[] = [];
  for (let at = 0; at < values.length; at += dimensions) rows.push(values.subarray(at, at + dimensions));
  return rows;
}

/** Whether the memory holds these rows in their order and nothing else. */
function fills(memory: ArrayBuffer, rows: readonly Float32Array[], dimensions: number): boolean {
  const rowBytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  return (
    memory.byteLength === rows.length * rowBytes &&
    rows.every((row, at) => row.buffer === memory && row.byteOffset === at * rowBytes)
  );
}
