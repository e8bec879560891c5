/** A direction as small whole numbers: `components[i] * scale` is the unit vector, to within half a step. */
export interface QuantisedVector {
  readonly scale: number;
  readonly components: Int8Array;
}

/** A query's direction at higher resolution: it is quantised once and meets every vector, so bytes are no matter. */
export interface QuantisedQuery {
  readonly scale: number;
  readonly components: Int16Array;
}

const maxByte = 127;
const maxShortSize = 32_767;
const maxSum = 2 ** 31 - 1;

/** Cuts a vector that is finite and not all zeros to one byte a value. */
export function quantiseVector(vector: Float32Array): QuantisedVector {
  const factor = maxByte / largest(vector);
  const components = rounded(vector, factor, new Int8Array(vector.length));
  return { scale: 1 / length(components), components };
}

/** The bytes of a column with their sign; none where a damaged file has something else in their place. */
export function signedBytes(column: unknown): Int8Array {
  if (!(column instanceof Uint8Array)) return new Int8Array();
  return new Int8Array(column.buffer, column.byteOffset, column.byteLength);
}

/** The direction again, of length one; cut once more it gives the same bytes. */
export function unitVector({ scale, components }: QuantisedVector): Float32Array {
  const vector = new Float32Array(components.length);
  for (let at = 0; at < components.length; at += 1) vector[at] = (components[at] ?? 0) * scale;
  return vector;
}

/** Cuts a query to two bytes a value, small enough that no sum of products with bytes leaves 32 bits. */
export function quantiseQuery(vector: Float32Array): QuantisedQuery {
  let absolute = 0;
  for (const value of vector) absolute += Math.abs(value);
  // Rounding adds at most a half to each value: leave room for it.
  const room = maxSum / maxByte - vector.length;
  const factor = Math.min(maxShortSize / largest(vector), room / absolute);
  const components = rounded(vector, factor, new Int16Array(vector.length));
  return { scale: 1 / length(components), components };
}

/** By index: `from` of a typed array walks an iterator, which takes ten times as long. */
function rounded<Whole extends Int8Array | Int16Array>(
  vector: Float32Array,
  factor: number,
  into: Whole,
): Whole {
  for (let at = 0; at < vector.length; at += 1) into[at] = Math.round((vector[at] ?? 0) * factor);
  return into;
}

function largest(vector: Float32Array): number {
  let found = 0;
  for (const value of vector) found = Math.max(found, Math.abs(value));
  return found;
}

function length(components: Int8Array | Int16Array): number {
  let squares = 0;
  for (const value of components) squares += value * value;
  return Math.sqrt(squares);
}
