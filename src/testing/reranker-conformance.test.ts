import { describe, expect, test } from 'vitest';
import type { PassageScore, Reranker } from '../contracts/reranker.ts';
import { rerankerConformance } from './reranker-conformance.ts';

/** Words of the question that stand in the passage. */
function overlap(question: string, passage: string): number {
  const words = new Set(question.toLowerCase().match(/\w+/g) ?? []);
  return (passage.toLowerCase().match(/\w+/g) ?? []).filter((word) => words.has(word)).length;
}

function good(): Reranker {
  return {
    facts: { method: 'words' },
    weight: 0.5,
    async *score(question, passages, { signal }) {
      for (const [index, passage] of passages.entries()) {
        if (signal.aborted) return;
        yield [{ index, score: overlap(question, passage) }];
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
  (spoil: (score: PassageScore, count: number) => readonly PassageScore[]) =>
  (reranker: Reranker): Partial<Reranker> => ({
    async *score(question, passages, options) {
      for await (const batch of reranker.score(question, passages, options)) {
        yield batch.flatMap((score) => spoil(score, passages.length));
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
      'a passage left out',
      spoiling((score, count) => (score.index === count - 1 ? [] : [score])),
      'gives every passage one finite score',
    ],
    ['two scores for a passage', spoiling((score) => [score, score]), 'gives every passage one finite score'],
    [
      'a score that is no number',
      spoiling((score) => [{ ...score, score: Number.NaN }]),
      'gives every passage one finite score',
    ],
    [
      'a place that does not exist',
      spoiling((score, count) => [{ ...score, index: count }]),
      'gives every passage one finite score',
    ],
    [
      'the lowest score for the best',
      spoiling((score) => [{ ...score, score: -score.score }]),
      'scores a passage that fits the question above one that does not, wherever they stand',
    ],
    [
      'scores by place',
      spoiling(({ index }) => [{ index, score: index }]),
      'gives equal passages equal scores',
    ],
    [
      'scores by chance',
      spoiling(({ index }) => [{ index, score: Math.random() }]),
      'gives the same scores for the same call',
    ],
    [
      'no ear for the signal',
      (reranker) => ({
        score: (question, passages, { budgetMs }) =>
          reranker.score(question, passages, { budgetMs, signal: new AbortController().signal }),
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
