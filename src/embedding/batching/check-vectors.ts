import { QuarryError } from '../../core/errors.ts';

/** Throws `vector-invalid` unless there is one vector for each text and all have the length of the space. */
export function checkVectors(
  vectors: readonly Float32Array[],
  { texts, dimensions }: { readonly texts: number; readonly dimensions: number | undefined },
): void {
  if (vectors.length !== texts) throw wrongAnswer(`${vectors.length} vectors for ${texts} texts`);
  const length = dimensions ?? vectors[0]?.length ?? 0;
  for (const vector of vectors) {
    if (vector.length !== length || length === 0) {
      throw wrongAnswer(`a vector of ${vector.length} values where ${length || 'some'} are expected`);
    }
  }
}

function wrongAnswer(what: string): QuarryError {
  return new QuarryError(
    'vector-invalid',
    `The embedder answered with ${what}.`,
    'Check that the settings name the model that the server runs.',
  );
}
