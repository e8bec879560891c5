import { expect, test } from 'vitest';
import type { Report } from './choice.ts';
import { trendsOf } from './trend.ts';

const report = (id: string, set: string, scores: Readonly<Record<string, number>>) =>
  ({
    id,
    created_at: `2026-10-0${id}`,
    sets: [{ name: set }],
    overall: Object.entries(scores).map(([run, ndcg_10]) => ({ run, scores: { ndcg_10 } })),
  }) as unknown as Report;

test('runs over the same questions are followed from the oldest on', () => {
  const reports = [
    report('4', 'own', { engine: 0.9, text: 0.4 }),
    report('3', 'other', { engine: 0.1 }),
    report('2', 'own', { engine: 0.8 }),
    report('1', 'own', { engine: 0.5 }),
  ];
  expect(trendsOf(reports)).toEqual([
    {
      run: 'engine',
      scores: [
        { run: 'engine', report: '1', at: '2026-10-01', score: 0.5 },
        { run: 'engine', report: '2', at: '2026-10-02', score: 0.8 },
        { run: 'engine', report: '4', at: '2026-10-04', score: 0.9 },
      ],
    },
  ]);
  expect(trendsOf([])).toEqual([]);
});
