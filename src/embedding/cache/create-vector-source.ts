import type { TextToEmbed, VectorOutcome, VectorSource } from '../../contracts/vector-source.ts';
import { CachedRun, type VectorSourceParts } from './cached-run.ts';

/** A source that makes only the vectors which the cache does not have, and keeps what was made there. */
export function createVectorSource({ embedder, cache, make }: VectorSourceParts): VectorSource {
  return {
    embedder,
    get problem() {
      return cache?.problem;
    },
    vectorsFor: (texts, options = {}) =>
      cache ? cachedVectors({ embedder, cache, make }, texts, options.signal) : make(texts, options),
  };
}

async function* cachedVectors<Owner>(
  parts: Required<VectorSourceParts>,
  texts: AsyncIterable<TextToEmbed<Owner>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<VectorOutcome<Owner>, void, undefined> {
  const leaving = new AbortController();
  const run = new CachedRun<Owner>(
    parts,
    signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal,
  );
  const ended = run.start(texts);
  try {
    yield* run.outcomes();
  } finally {
    // Whoever stops listening stops the work; what was made by then is kept.
    run.dismiss();
    leaving.abort();
    await ended;
  }
}
