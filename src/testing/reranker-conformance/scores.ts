import assert from 'node:assert/strict';
import { allScores, rerankerChecks, scoresOf } from './reranker-check.ts';

const query = 'replace a document in the store';
const fitting = 'The store can replace a document.';
const unrelated = 'Spring flowers in a garden.';

/** Checks of the scores of chunks. */
export const scoreChecks = rerankerChecks({
  'gives every chunk one finite score': async (reranker) => {
    const chunks = Array.from({ length: 40 }, (_, index) => `chunk number ${index} of many`);
    await allScores(reranker, query, chunks);
  },
  'scores a chunk that fits the query above one that does not, wherever they stand': async (reranker) => {
    for (const chunks of [
      [fitting, unrelated],
      [unrelated, fitting],
    ]) {
      const scores = await allScores(reranker, query, chunks);
      const place = chunks.indexOf(fitting);
      assert.ok((scores[place] ?? 0) > (scores[1 - place] ?? 0), `${fitting} is better: ${scores}`);
    }
  },
  'gives the same scores for the same call': async (reranker) => {
    const chunks = [unrelated, fitting, 'A store.'];
    const first = await allScores(reranker, query, chunks);
    const second = await allScores(reranker, query, chunks);
    first.forEach((score, index) => {
      assert.ok(Math.abs(score - (second[index] ?? 0)) < 1e-4, `${score} and ${second[index]}`);
    });
  },
  'gives equal chunks equal scores': async (reranker) => {
    const [one = 0, , other = 1] = await allScores(reranker, query, [fitting, unrelated, fitting]);
    assert.ok(Math.abs(one - other) < 1e-4, `${one} and ${other}`);
  },
  'says nothing of no chunks': async (reranker) => {
    assert.equal((await scoresOf(reranker, query, [])).size, 0);
  },
  'scores any text: empty, blank, very long, of any script, half a character': async (reranker) => {
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
    await allScores(reranker, query, texts);
  },
  'takes any query: blank, very long, of any script, half a character': async (reranker) => {
    for (const text of [' ', 'why '.repeat(5_000), '文書を置き換える', '\udc00'])
      await allScores(reranker, text, [fitting, unrelated]);
  },
});
