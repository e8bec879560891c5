import assert from 'node:assert/strict';
import { allScores, type RerankerCheck, scoresOf, withReranker } from './reranker-check.ts';

const question = 'replace a document in the store';
const fitting = 'The store can replace a document.';
const unrelated = 'Spring flowers in a garden.';

/** Checks of what a reranker says of passages. */
export const scoreChecks: readonly RerankerCheck[] = [
  {
    promise: 'gives every passage one finite score',
    check: withReranker(async (reranker) => {
      const passages = Array.from({ length: 40 }, (_, index) => `passage number ${index} of many`);
      await allScores(reranker, question, passages);
    }),
  },
  {
    promise: 'scores a passage that fits the question above one that does not, wherever they stand',
    check: withReranker(async (reranker) => {
      for (const passages of [
        [fitting, unrelated],
        [unrelated, fitting],
      ]) {
        const scores = await allScores(reranker, question, passages);
        const place = passages.indexOf(fitting);
        assert.ok((scores[place] ?? 0) > (scores[1 - place] ?? 0), `${fitting} is better: ${scores}`);
      }
    }),
  },
  {
    promise: 'gives the same scores for the same call',
    check: withReranker(async (reranker) => {
      const passages = [unrelated, fitting, 'A store.'];
      const first = await allScores(reranker, question, passages);
      const second = await allScores(reranker, question, passages);
      first.forEach((score, index) => {
        assert.ok(Math.abs(score - (second[index] ?? 0)) < 1e-4, `${score} and ${second[index]}`);
      });
    }),
  },
  {
    promise: 'gives equal passages equal scores',
    check: withReranker(async (reranker) => {
      const [one = 0, , other = 1] = await allScores(reranker, question, [fitting, unrelated, fitting]);
      assert.ok(Math.abs(one - other) < 1e-4, `${one} and ${other}`);
    }),
  },
  {
    promise: 'says nothing of no passages',
    check: withReranker(async (reranker) => {
      assert.equal((await scoresOf(reranker, question, [])).size, 0);
    }),
  },
  {
    promise: 'scores any text: empty, blank, very long, of any script, half a character',
    check: withReranker(async (reranker) => {
      const texts = [
        '',
        ' \n\t ',
        'word '.repeat(20_000),
        'a'.repeat(50_000),
        '日本語の文章',
        '🙂',
        '\ud800',
        '\0',
      ];
      await allScores(reranker, question, texts);
    }),
  },
  {
    promise: 'takes any question: blank, very long, of any script, half a character',
    check: withReranker(async (reranker) => {
      for (const text of [' ', 'why '.repeat(5_000), '文書を置き換える', '\udc00'])
        await allScores(reranker, text, [fitting, unrelated]);
    }),
  },
];
