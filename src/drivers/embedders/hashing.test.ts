import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHashingEmbedder } from './hashing.ts';

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);

test('gives the same unit vector for the same text in every call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      const embedder = createHashingEmbedder();
      const [first] = await embedder.embed([text], { as: 'query' });
      const [, again] = await createHashingEmbedder().embed(['other', text], { as: 'chunk' });
      expect(again).toEqual(first);
      expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
    }),
  );
});

test('puts texts that share words nearer than texts that share none', async () => {
  const embedder = createHashingEmbedder({ dimensions: 256 });
  const [a, b, c] = (await embedder.embed(
    ['replace a document atomically', 'replace the document', 'weather in spring'],
    { as: 'chunk' },
  )) as [Float32Array, Float32Array, Float32Array];
  expect(cosine(a, b)).toBeGreaterThan(cosine(a, c) + 0.3);
});
