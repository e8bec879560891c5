import assert from 'node:assert/strict';
import type { Reranker } from '../../contracts/reranker.ts';

/** Opens the reranker once more, with the same settings. */
export type OpenReranker = () => Promise<Reranker>;

/** One promise of the contract and the function that checks it. */
export interface RerankerCheck {
  /** The promise in the present tense, fit for a test's title. */
  readonly promise: string;
  /** Rejects with an `AssertionError` when the promise is broken. */
  check(open: OpenReranker): Promise<void>;
}

/** Time enough for any of the checks. */
export const budgetMs = 60_000;

/** Checks by their promises, each of a reranker that is closed afterwards. */
export function rerankerChecks(
  checks: Readonly<Record<string, (reranker: Reranker) => Promise<void>>>,
): RerankerCheck[] {
  return Object.entries(checks).map(([promise, check]) => ({
    promise,
    async check(open) {
      const reranker = await open();
      try {
        await check(reranker);
      } finally {
        await reranker.close();
      }
    },
  }));
}

/** All scores of a call, by place, after asserting that each is valid. */
export async function scoresOf(
  reranker: Reranker,
  query: string,
  chunks: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<ReadonlyMap<number, number>> {
  const scores = new Map<number, number>();
  for await (const batch of reranker.score(query, chunks, { budgetMs, signal })) {
    for (const { index, score } of batch) {
      assert.ok(
        Number.isInteger(index) && index >= 0 && index < chunks.length,
        `a place that exists, not ${index}`,
      );
      assert.ok(!scores.has(index), `chunk ${index} is scored once`);
      assert.ok(Number.isFinite(score), `a finite score, not ${score}`);
      scores.set(index, score);
    }
  }
  return scores;
}

/** The scores of all chunks in their order, after asserting that there is one for each. */
export async function allScores(
  reranker: Reranker,
  query: string,
  chunks: readonly string[],
): Promise<number[]> {
  const scores = await scoresOf(reranker, query, chunks);
  assert.equal(scores.size, chunks.length, 'every chunk has a score');
  return chunks.map((_, index) => scores.get(index) ?? Number.NaN);
}
