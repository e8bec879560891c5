import { QuarryError } from '../errors.ts';

/** Throws `vector-invalid` unless the vector has this length, only finite values and a direction. */
export function assertVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions || dimensions === 0) {
    throw invalidVector(`A vector of ${vector.length} values does not fit a space of ${dimensions}.`);
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!Number.isFinite(squares)) throw invalidVector('A vector has a value that is not a finite number.');
  if (squares === 0) throw invalidVector('A vector is all zeros, so it points nowhere.');
}

function invalidVector(message: string): QuarryError {
  return new QuarryError(
    'vector-invalid',
    message,
    'Check that the embedder is the one the index was made with, then run: quarry index --full',
  );
}
