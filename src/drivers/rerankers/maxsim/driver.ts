import { z } from 'zod';
import type { ChunkSketches } from '../../../contracts/chunk-sketches.ts';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Embedder, EmbeddingRole } from '../../../contracts/embedder.ts';
import type { Reranker } from '../../../contracts/reranker.ts';
import { QuarryError } from '../../../core/errors.ts';
import { rowBytes, sketchOf, sketchScorer, type TokenSketch } from '../../../core/vectors/token-sketch.ts';
import { scoreEach } from '../score-each.ts';

/** Characters that are looked at, and tokens of them that are compared: what is longer could exceed any budget. */
const limits = {
  query: { characters: 1_000, tokens: 64 },
  chunk: { characters: 8_000, tokens: 1_024 },
};

const options = z.strictObject({});

export default defineDriver({
  name: 'maxsim',
  summary: 'The local embedder once more, token by token: no further weights, no network.',
  options,
  requires: [],
  async open(_, { embedder: openEmbedder, sketches: openSketches }): Promise<Reranker> {
    const embedder = await openEmbedder?.();
    const tokenVectors = embedder?.tokenVectors?.bind(embedder);
    if (!embedder || !tokenVectors) throw noTokenVectors(embedder);
    const { model = embedder.fingerprint, device = '' } = embedder.facts;
    const rowsOf = async (text: string, as: EmbeddingRole, signal: AbortSignal): Promise<Float32Array> => {
      const [rows = new Float32Array()] = await tokenVectors([text], { as, signal });
      return rows.subarray(0, limits[as].tokens * (embedder.dimensions ?? 1));
    };
    const sketches: ChunkSketches = (await openSketches?.()) ?? {
      kept: async () => [],
      make: async (text: string, signal: AbortSignal) =>
        sketchOf([await rowsOf(text, 'chunk', signal)], embedder.dimensions ?? 1),
    };
    return {
      facts: { model, ...(device && { device }) },
      // Settled by comparison: docs/decisions/0015-reranking.md.
      weight: 0.5,
      looksFurther: true,
      load: async () => embedder.load?.(),
      async *score(query, chunks, options) {
        const { signal } = options;
        if (signal.aborted || chunks.length === 0) return;
        const begun = performance.now();
        const columns = embedder.dimensions ?? 1;
        const max = limits.chunk.tokens * rowBytes(columns);
        const texts = chunks.map((chunk) => beginningOf(chunk, 'chunk'));
        const [rows, kept] = await Promise.all([
          rowsOf(beginningOf(query, 'query'), 'query', signal),
          sketches.kept(texts),
        ]);
        const scorer = sketchScorer(rows, columns);
        const scoreOf = (sketch: TokenSketch): number => scorer.score(sketch.subarray(0, max));
        const known = texts.flatMap((_, index) => {
          const sketch = kept[index];
          return sketch ? [{ index, score: scoreOf(sketch) }] : [];
        });
        if (known.length > 0) yield known;
        const missing = texts.flatMap((text, index) => (kept[index] ? [] : [{ text, index }]));
        const { make } = sketches;
        if (!make) {
          sketches.later?.(missing.map(({ text }) => text));
          return;
        }
        // The others are made one by one: a score is known as soon as its chunk is through, and a stop waits for little.
        const left = { budgetMs: options.budgetMs - (performance.now() - begun), signal };
        const made = scoreEach(
          missing.map(({ text }) => text),
          embedder.limits.concurrency,
          left,
          async (text) => scoreOf(await make(text, signal)),
        );
        for await (const scores of made)
          yield scores.map(({ index, score }) => ({ index: missing[index]?.index ?? 0, score }));
      },
      // The embedder belongs to the project.
      async close() {},
    };
  },
});

function beginningOf(text: string, as: EmbeddingRole): string {
  return text.slice(0, limits[as].characters).toWellFormed();
}

function noTokenVectors(embedder: Embedder | undefined): QuarryError {
  return new QuarryError(
    'config-invalid',
    `reranker.driver is maxsim, and the embedder ${embedder?.fingerprint ?? ''} has no vectors of single tokens.`,
    'Use the local embedder, or another reranker.',
  );
}
