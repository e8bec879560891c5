import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfWidth, mean, metrics, ndcg, percentile, recall, reciprocalRank, scoresOf } from './metrics.ts';

const gainList = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 60 });

describe('metrics', () => {
  test('a perfect order scores 1, an order without anything relevant 0', () => {
    expect(ndcg([1, 1, 0], [1, 1], 10)).toBe(1);
    expect(ndcg([0, 0], [1, 1], 10)).toBe(0);
    expect(ndcg([], [], 10)).toBe(0);
  });

  test('agree with values worked out by hand', () => {
    const gains = [0, 1, 0, 1];
    const ideal = 1 + 1 / Math.log2(3);
    expect(ndcg(gains, [1, 1], 10)).toBeCloseTo((1 / Math.log2(3) + 1 / Math.log2(5)) / ideal, 10);
    expect(ndcg(gains, [1, 1], 2)).toBeCloseTo(1 / Math.log2(3) / ideal, 10);
    expect(recall(gains, [1, 1], 2)).toBe(0.5);
    expect(reciprocalRank(gains, 10)).toBe(0.5);
    expect(reciprocalRank(gains, 1)).toBe(0);
    expect(ndcg([1, 2], [2, 1], 10)).toBeCloseTo((1 + 2 / Math.log2(3)) / (2 + 1 / Math.log2(3)), 10);
  });

  test('hit@1 and hit@5 ask only whether anything relevant is there', () => {
    expect(scoresOf([0, 0, 2], [2])).toMatchObject({ hit_1: 0, hit_5: 1, mrr_10: 1 / 3, recall_5: 1 });
    expect(scoresOf([0, 0, 0, 0, 0, 1], [1])).toMatchObject({ hit_5: 0, recall_5: 0, recall_10: 1 });
  });

  test('stay between 0 and 1, and putting the best first never scores lower', () => {
    fc.assert(
      fc.property(gainList, gainList, (gains, missed) => {
        const grades = [...gains, ...missed].filter((grade) => grade > 0);
        const scores = scoresOf(gains, grades);
        const sorted = scoresOf(
          [...gains].sort((a, b) => b - a),
          grades,
        );
        for (const metric of metrics) {
          expect(scores[metric]).toBeGreaterThanOrEqual(0);
          expect(scores[metric]).toBeLessThanOrEqual(1);
          expect(sorted[metric]).toBeGreaterThanOrEqual(scores[metric] - 1e-12);
        }
      }),
    );
  });
});

test('means, intervals and percentiles of nothing are 0', () => {
  expect([mean([]), halfWidth([]), halfWidth([0.4]), percentile([], 0.95)]).toEqual([0, 0, 0, 0]);
});

test('a percentile is a value that was measured', () => {
  expect(percentile([30, 10, 20], 0.5)).toBe(20);
  expect(percentile([30, 10, 20], 0.95)).toBe(30);
  expect(percentile([7], 0.5)).toBe(7);
});

test('the interval of a mean narrows with the square root of the questions', () => {
  const few = Array.from({ length: 100 }, (_, index) => index % 2);
  const many = Array.from({ length: 400 }, (_, index) => index % 2);
  expect(halfWidth(few)).toBeCloseTo(0.098, 2);
  expect(halfWidth(many)).toBeCloseTo(halfWidth(few) / 2, 2);
});
