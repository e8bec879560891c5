import { describe, expect, test } from 'vitest';
import type { ChunkScore, Reranker } from '../contracts/reranker.ts';
import { rerankerConformance } from './reranker-conformance.ts';

/** Words of the query that stand in the chunk. */
function overlap(query: string, chunk: string): number {
  const words = new Set(query.toLowerCase().match(/\w+/g) ?? []);
  return (chunk.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word)).length;
}

function good(): Reranker {
  return {
    facts: { method: 'words' },
    weight: 0.5,
    async *score(query, chunks, { signal }) {
      for (const [index, chunk] of chunks.entries()) {
        if (signal.aborted) return;
        yield [{ index, score: overlap(query, chunk) }];
      }
    },
    close: async () => {},
  };
}

/** The promises that a reranker breaks. */
async function brokenBy(change: (reranker: Reranker) => Partial<Reranker>): Promise<string[]> {
  const broken: string[] = [];
  for (const { promise, check } of rerankerConformance) {
    const open = async () => {
      const reranker = good();
      return { ...reranker, ...change(reranker) };
    };
    await check(open).catch(() => broken.push(promise));
  }
  return broken;
}

/** A reranker whose scores are changed on their way out. */
const spoiling =
  (spoil: (score: ChunkScore, count: number) => readonly ChunkScore[]) =>
  (reranker: Reranker): Partial<Reranker> => ({
    async *score(query, chunks, options) {
      for await (const batch of reranker.score(query, chunks, options)) {
        yield batch.flatMap((score) => spoil(score, chunks.length));
      }
    },
  });

describe('the suite', () => {
  test('has promises that read differently', () => {
    const promises = rerankerConformance.map(({ promise }) => promise);
    expect(new Set(promises).size).toBe(promises.length);
  });

  test('finds nothing wrong with a reranker that keeps them', async () => {
    expect(await brokenBy(() => ({}))).toEqual([]);
  });

  test.each<[string, (reranker: Reranker) => Partial<Reranker>, string]>([
    [
      'a chunk left out',
      spoiling((score, count) => (score.index === count - 1 ? [] : [score])),
      'gives every chunk one finite score',
    ],
    ['two scores for a chunk', spoiling((score) => [score, score]), 'gives every chunk one finite score'],
    [
      'a score that is no number',
      spoiling((score) => [{ ...score, score: Number.NaN }]),
      'gives every chunk one finite score',
    ],
    [
      'a place that does not exist',
      spoiling((score, count) => [{ ...score, index: count }]),
      'gives every chunk one finite score',
    ],
    [
      'the lowest score for the best',
      spoiling((score) => [{ ...score, score: -score.score }]),
      'scores a chunk that fits the query above one that does not, wherever they stand',
    ],
    [
      'scores by place',
      spoiling(({ index }) => [{ index, score: index }]),
      'gives equal chunks equal scores',
    ],
    [
      'scores by chance',
      spoiling(({ index }) => [{ index, score: Math.random() }]),
      'gives the same scores for the same call',
    ],
    [
      'no ear for the signal',
      (reranker) => ({
        score: (query, chunks, { budgetMs }) =>
          reranker.score(query, chunks, { budgetMs, signal: new AbortController().signal }),
      }),
      'begins nothing when the caller has stopped already, and works on',
    ],
    ['a share above one', () => ({ weight: 1.5 }), expect.stringContaining('states a share') as never],
    [
      'a secret among its facts',
      () => ({ facts: { key: 'sk-123' } }),
      expect.stringContaining('without secrets') as never,
    ],
  ])('finds %s', async (_, change, promise) => {
    expect(await brokenBy(change)).toContainEqual(promise);
  });
});
