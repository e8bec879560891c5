import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { evalOperation } from '../../../operations/evaluation/eval.ts';
import { keptOutput } from '../terminal/kept-output.fixture.ts';
import { renderEvaluation } from './eval.ts';

type Result = z.output<typeof evalOperation.output>;

const scores = {
  ndcg_10: 0.65,
  recall_5: 0.5,
  recall_10: 0.6,
  recall_50: 0.9,
  mrr_10: 0.4,
  hit_1: 0.3,
  hit_5: 0.7,
};
const summary = { run: 'engine', questions: 3, scores, half_widths: scores, p50_ms: 1, p95_ms: 2 };

function shown(more: Partial<Result>, warnings: string[] = []) {
  const { output, notes, results } = keptOutput();
  const set = { name: 'own', documents: 2, chunks: 3, unjudged: 0, summaries: [summary], categories: [] };
  renderEvaluation(
    {
      format: 'quarry-evaluation-1',
      created_at: '2026-01-02T03:04:05.000Z',
      runs: [{ name: 'engine', settings: {} }],
      sets: [{ ...set, warnings, label_problems: [], questions: [] }],
      overall: [summary],
      comparisons: [],
      floors: [],
      warnings: [],
      seconds: 1,
      files: [],
      ...more,
    },
    output,
  );
  return { notes, results };
}

test('floors come first, also those that hold, then the table', () => {
  const floor = { metric: 'ndcg_10', floor: 0.7, run: 'engine', value: 0.65, reached: false } as const;
  const held = { metric: 'hit_5', floor: 0.5, run: 'engine', value: 0.7, reached: true } as const;
  const { results } = shown({ floors: [floor, held] });
  expect(results.slice(0, 7)).toEqual([
    'Evaluation',
    '3 questions in 1 set, 1 run, 1 s, 2026-01-02 03:04 UTC',
    'nDCG@10 of engine is below the floor: 0.650, asked for 0.7.',
    'hit@5 of engine reaches the floor: 0.700, asked for 0.5.',
    '',
    'Quality',
    expect.stringMatching(/^set +questions +nDCG@10/),
  ]);
  expect(results[7]).toMatch(/^own +3 +0\.650/);
});

test('nothing is said of floors where none is asked for', () => {
  expect(shown({}).results.join('\n')).not.toContain('floor');
});

test('labels that are wrong are listed with their set', () => {
  const { notes } = shown({}, ['"a.md:900" lies beyond the end.']);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/^warning own: "a\.md:.*900" lies beyond the end\.$/);
});

test('of very many warnings the first are listed and the others counted', () => {
  const { notes } = shown(
    {},
    Array.from({ length: 25 }, (_, at) => `problem ${at}.`),
  );
  expect(notes).toHaveLength(21);
  expect(notes.at(-1)).toBe('5 more warnings (list: --json)');
});

test('of a comparison the verdict and the questions that moved are shown, long ones cut; pictures and what is folded are not', () => {
  const pair = { set: 'own', id: '1', text: 'why '.repeat(40), before: 0.2, after: 0.8 };
  const comparison = {
    set: 'own',
    before: 'text',
    after: 'engine',
    questions: 40,
    difference: 0.1,
    interval: [0.05, 0.15] as [number, number],
    real: true,
    won: 1,
    lost: 0,
    equal: 39,
    differences: [0.6],
    most_won: [pair],
    most_lost: [],
  };
  const { results } = shown({ comparisons: [comparison] });
  const verdict =
    'engine is really better than text on own: nDCG@10 +0.100, 95 % interval +0.050 to +0.150; 1 won, 0 lost, 39 equal.';
  expect(results.filter((line) => line === verdict)).toHaveLength(2);
  expect(results.at(-2)).toMatch(/^won most +before +after$/);
  expect(results.at(-1)).toBe(`${'why '.repeat(40).slice(0, 70)} …    0.20   0.80`);
});
