import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { compare } from './comparison.ts';
import { readDataset } from './dataset.ts';
import { mean, ndcg, recall, reciprocalRank } from './metrics.ts';

const relevant = new Map([
  ['a', 1],
  ['b', 1],
]);

describe('metrics', () => {
  test('a perfect order scores 1, an order without any relevant document 0', () => {
    expect(ndcg(['a', 'b', 'x'], relevant, 10)).toBe(1);
    expect(ndcg(['x', 'y'], relevant, 10)).toBe(0);
    expect(ndcg([], new Map(), 10)).toBe(0);
  });

  test('agree with values worked out by hand', () => {
    const ranked = ['x', 'a', 'y', 'b'];
    const ideal = 1 + 1 / Math.log2(3);
    expect(ndcg(ranked, relevant, 10)).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / ideal, 10);
    expect(ndcg(ranked, relevant, 2)).toBeCloseTo(1 / Math.log2(3) / ideal, 10);
    expect(recall(ranked, relevant, 2)).toBe(0.5);
    expect(reciprocalRank(ranked, relevant, 10)).toBe(0.5);
    expect(reciprocalRank(ranked, relevant, 1)).toBe(0);
    expect(
      ndcg(
        ['low', 'high'],
        new Map([
          ['low', 1],
          ['high', 2],
        ]),
        10,
      ),
    ).toBeCloseTo((1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)), 10);
    expect(mean([])).toBe(0);
  });
});

describe('a paired comparison', () => {
  const noisy = Array.from({ length: 200 }, (_, index) => ((index * 37) % 100) / 100);

  test('sees a small difference that holds on nearly every question', () => {
    const better = noisy.map((score, index) => score + (index % 5 === 0 ? -0.01 : 0.02));
    const result = compare(noisy, better);
    expect(result.isReal).toBe(true);
    expect(result.difference).toBeCloseTo(0.014, 5);
  });

  test('sees none where gains and losses balance', () => {
    const shuffled = noisy.map((score, index) => score + (index % 2 === 0 ? 0.3 : -0.3));
    expect(compare(noisy, shuffled).isReal).toBe(false);
    expect(compare(noisy, noisy)).toEqual({ difference: 0, interval: [0, 0], isReal: false });
  });

  test('gives the same answer each time', () => {
    const other = noisy.map((score, index) => score + Math.sin(index) / 10);
    expect(compare(noisy, other)).toEqual(compare(noisy, other));
  });
});

test('a collection is read with its judgements; questions without any are left out', async () => {
  const folder = await temporaryFolder({
    'corpus.jsonl': '{"_id":"d1","title":"T","text":"one","scope":"s"}\n{"_id":"d2","text":"two"}\n',
    'queries.jsonl': '{"_id":"q1","text":"?","scope":"s"}\n{"_id":"q2","text":"unjudged"}\n',
    'qrels.tsv': 'query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\n',
  });
  expect(await readDataset(folder)).toEqual({
    documents: [
      { id: 'd1', title: 'T', text: 'one', scope: 's' },
      { id: 'd2', title: '', text: 'two' },
    ],
    questions: [{ id: 'q1', text: '?', scope: 's', relevant: new Map([['d1', 1]]) }],
  });
});
