import { beforeAll, describe, expect, test } from 'vitest';
import type { Embedder } from '../../../contracts/embedder.ts';
import type { ChunkScore, Reranker } from '../../../contracts/reranker.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { rerankerConformance } from '../../../testing/reranker-conformance.ts';
import { createHashingEmbedder } from '../../embedders/hashing.ts';
import local from '../../embedders/local/driver.ts';
import driver from './driver.ts';

let embedder: Embedder;
beforeAll(async () => {
  embedder = await local.open(local.options.parse({ threads: 2 }), driverContext());
});
const open = (options: object = {}) =>
  driver.open(driver.options.parse(options), driverContext({ embedder: async () => embedder }));

async function scores(reranker: Reranker, query: string, ...chunks: string[]): Promise<number[]> {
  const all: ChunkScore[] = [];
  const { signal } = new AbortController();
  for await (const batch of reranker.score(query, chunks, { budgetMs: 60_000, signal })) all.push(...batch);
  return all.sort((a, b) => a.index - b.index).map(({ score }) => score);
}

describe('keeps the contract:', () => {
  for (const { promise, check } of rerankerConformance) test(promise, () => check(open));
});

describe('the score', () => {
  test('of a text for itself is far above that of another one', async () => {
    const text = 'The writer keeps a lock while it replaces a document.';
    const [same = 0, other = 1] = await scores(await open(), text, text, 'Lentils need an hour.');
    expect(same).toBeGreaterThan(other + 0.3);
  });

  test('sees a long chunk to its end', async () => {
    const filler = 'Quarterly revenue grew in line with expectations across all segments. '.repeat(40);
    const needle = 'The harbour master paints the zebra crossing.';
    const reranker = await open();
    const [without = 0, within = 0] = await scores(
      reranker,
      'who paints the zebra crossing?',
      filler,
      filler + needle,
    );
    expect(within).toBeGreaterThan(without + 0.1);
  });
});

describe('token vectors of the local model', () => {
  test('are of unit length, one for each token, in either role', async () => {
    for (const as of ['query', 'chunk'] as const) {
      const text = 'replace a document';
      const [rows = new Float32Array()] = (await embedder.tokenVectors?.([text], { as })) ?? [];
      expect(rows.length).toBe(embedder.countTokens(text) * 384);
      for (let at = 0; at < rows.length; at += 384) {
        expect(Math.hypot(...rows.subarray(at, at + 384))).toBeCloseTo(1, 5);
      }
    }
  });

  test('are none for a text without a token', async () => {
    const [rows] = (await embedder.tokenVectors?.([''], { as: 'chunk' })) ?? [];
    expect(rows).toHaveLength(0);
  });
});

test('an embedder without token vectors cannot be used, and the error says what can', async () => {
  const context = driverContext({ embedder: async () => createHashingEmbedder() });
  await expect(driver.open(driver.options.parse({}), context)).rejects.toMatchObject({
    code: 'config-invalid',
    remedy: expect.stringContaining('local embedder'),
  });
});
