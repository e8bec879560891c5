import assert from 'node:assert/strict';
import { allScores, budgetMs, type RerankerCheck, rerankerChecks, scoresOf } from './reranker-check.ts';

const query = 'replace a document in the store';
const chunks = Array.from({ length: 60 }, (_, index) => `chunk number ${index} of the store`);

/** Checks of concurrent calls, of how calls end, and of a reranker's description of itself. */
export const callChecks: readonly RerankerCheck[] = [
  ...rerankerChecks({
    'begins nothing when the caller has stopped already, and works on': async (reranker) => {
      const scores = await scoresOf(reranker, query, chunks, AbortSignal.abort());
      assert.equal(scores.size, 0);
      await allScores(reranker, query, ['works still', 'and again']);
    },
    'ends without an error when it is stopped during a call, and works on': async (reranker) => {
      const controller = new AbortController();
      const call = scoresOf(reranker, query, chunks, controller.signal);
      const stop = new Promise<void>((resolve) => setImmediate(resolve)).then(() => controller.abort());
      await Promise.all([call, stop]);
      await allScores(reranker, query, ['works still', 'and again']);
    },
    'ends without an error when it is stopped after its first score, and works on': async (reranker) => {
      const controller = new AbortController();
      const { signal } = controller;
      for await (const batch of reranker.score(query, chunks, { budgetMs, signal })) {
        assert.ok(batch.length > 0, 'a batch has scores');
        controller.abort();
      }
      await allScores(reranker, query, ['works still', 'and again']);
    },
    'can be left in the middle, and works on': async (reranker) => {
      const { signal } = new AbortController();
      for await (const batch of reranker.score(query, chunks, { budgetMs, signal })) {
        assert.ok(batch.length > 0, 'a batch has scores');
        break;
      }
      await allScores(reranker, query, ['works still', 'and again']);
    },
    'answers calls that run at the same time each with its own scores': async (reranker) => {
      const calls = ['store', 'garden', 'harbour'].map((word) => [`the ${word}`, 'zebra', word]);
      const together = await Promise.all(calls.map((texts) => allScores(reranker, texts[2] ?? '', texts)));
      for (const [at, texts] of calls.entries()) {
        const alone = await allScores(reranker, texts[2] ?? '', texts);
        alone.forEach((score, index) => {
          assert.ok(Math.abs(score - (together[at]?.[index] ?? 0)) < 1e-4, `${score} for ${texts[index]}`);
        });
      }
    },
  }),
  {
    promise: 'can be loaded more than once, and closed twice, used or not',
    async check(open) {
      const used = await open();
      await used.load?.();
      await Promise.all([used.load?.(), used.load?.()]);
      await allScores(used, query, ['ready', 'and waiting']);
      await used.close();
      await used.close();
      const unused = await open();
      await unused.close();
      await unused.close();
    },
  },
  ...rerankerChecks({
    'states a share between nothing and all, and facts in words without secrets': async ({
      weight,
      facts,
    }) => {
      assert.ok(weight >= 0 && weight <= 1, `a share, not ${weight}`);
      for (const [name, value] of Object.entries(facts)) {
        assert.ok(name.length > 0 && typeof value === 'string' && value.length < 500);
        assert.doesNotMatch(value, /\b(sk-|hf_|jina_|Bearer )/);
      }
    },
  }),
];
