import type { Embedder } from '../../src/contracts/embedder.ts';
import { asQuarryError } from '../../src/core/errors.ts';

/** What has become of the calls to an embedder. */
export interface CallCounts {
  calls: number;
  refused: number;
  maxCallSize: number;
}

/** The same embedder, with its calls counted. */
export function counted(embedder: Embedder): { readonly embedder: Embedder; readonly counts: CallCounts } {
  const counts: CallCounts = { calls: 0, refused: 0, maxCallSize: 0 };
  const embed: Embedder['embed'] = async (texts, options) => {
    counts.calls += 1;
    counts.maxCallSize = Math.max(counts.maxCallSize, texts.length);
    try {
      return await embedder.embed(texts, options);
    } catch (thrown) {
      if (asQuarryError(thrown).code === 'embedding-too-large') counts.refused += 1;
      throw thrown;
    }
  };
  // Dimensions and limits may change while it is used, so they are read where they are.
  const counting: Embedder = Object.create(embedder, { embed: { value: embed } });
  return { embedder: counting, counts };
}
