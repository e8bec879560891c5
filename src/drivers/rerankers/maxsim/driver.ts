import { z } from 'zod';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder, EmbeddingRole } from '../../../contracts/embedder.ts';
import type { Reranker } from '../../../contracts/reranker.ts';
import { QuarryError } from '../../../core/errors.ts';
import { scoreEach } from '../score-each.ts';
import { meanOfBest } from './mean-of-best.ts';

/** Characters that are looked at, and tokens of them that are compared: what is longer could exceed any budget. */
const longest = {
  query: { characters: 1_000, tokens: 64 },
  chunk: { characters: 8_000, tokens: 1_024 },
};

const options = z.strictObject({
  weight: z.number().min(0).max(1).default(0.5),
});

export default defineDriver({
  name: 'maxsim',
  summary: 'The local embedder once more, token by token: no further weights, no network.',
  options,
  requires: [],
  async open({ weight }, { embedder: openEmbedder }): Promise<Reranker> {
    const embedder = await openEmbedder?.();
    const tokenVectors = embedder?.tokenVectors?.bind(embedder);
    if (!embedder || !tokenVectors) throw noTokenVectors(embedder);
    const { model = embedder.fingerprint, device = '' } = embedder.facts;
    return {
      facts: { model, ...(device && { device }) },
      weight,
      load: async () => embedder.load?.(),
      async *score(query, chunks, options) {
        const { signal } = options;
        if (signal.aborted || chunks.length === 0) return;
        // Asked for one by one: a score is known as soon as its chunk is through, and a stop waits for little.
        const columns = embedder.dimensions ?? 1;
        const vectorsOf = async (text: string, as: EmbeddingRole): Promise<Float32Array> => {
          const beginning = text.slice(0, longest[as].characters).toWellFormed();
          const [rows = new Float32Array()] = await tokenVectors([beginning], { as, signal });
          return rows.subarray(0, longest[as].tokens * columns);
        };
        let asked: Promise<Float32Array> | undefined;
        yield* scoreEach(chunks, embedder.limits.concurrency, options, async (chunk) => {
          asked ??= vectorsOf(query, 'query');
          const wanted = await asked;
          const found = await vectorsOf(chunk, 'chunk');
          return meanOfBest(wanted, found, columns);
        });
      },
      // The embedder belongs to the project.
      async close() {},
    };
  },
});

function noTokenVectors(embedder: Embedder | undefined): QuarryError {
  return new QuarryError(
    'config-invalid',
    `reranker.driver is maxsim, and the embedder ${embedder?.fingerprint ?? ''} has no vectors of single tokens.`,
    'Use the local embedder, or another reranker.',
  );
}
