import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoreMatch } from '../contracts/store.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { fuse } from './fuse.ts';

function matches(prefix: string, scores: number[]): StoreMatch[] {
  return scores.map((score, index) => {
    const document = documentRecord(`${prefix}${index}.md`);
    const [entry] = chunkEntries(document, [`${prefix} ${index}`]);
    return { document, chunk: entry?.chunk as StoreMatch['chunk'], score };
  });
}

test('puts a chunk found by both searchers above one found by a single searcher at the same rank', () => {
  const [both, other] = matches('a', [0.9, 0.9]) as [StoreMatch, StoreMatch];
  const low = matches('low', [0.1])[0] as StoreMatch;
  const lists = [
    { stage: 'dense', matches: [both, low], weight: 0.5 },
    { stage: 'text', matches: [other, { ...both, score: 0.8 }, low], weight: 0.5 },
  ];
  expect(fuse(lists)[0]?.match.document.uri).toBe(both.document.uri);
});

test('keeps every candidate once, best first, between 0 and 1', () => {
  const scores = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 20 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(scores, scores, share, (a, b, weight) => {
      const falling = (values: number[]) => values.toSorted((x, y) => y - x);
      const dense = matches('d', falling(a));
      const text = [...matches('t', falling(b)), ...dense.slice(0, 3)];
      const fused = fuse([
        { stage: 'dense', matches: dense, weight },
        { stage: 'text', matches: text, weight: 1 - weight },
      ]);
      const ids = fused.map(({ match }) => match.chunk.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(a.length + b.length);
      for (const [index, { score }] of fused.entries()) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-9);
        expect(score).toBeLessThanOrEqual(fused[index - 1]?.score ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
});

test('a list without weight brings candidates in and gives them no score', () => {
  const lists = [
    { stage: 'text', matches: matches('t', [3, 1]), weight: 1 },
    { stage: 'path', matches: matches('p', [1]), weight: 0 },
  ];
  const fused = fuse(lists);
  expect(fused.map(({ match }) => match.document.uri)).toEqual(['t0.md', 't1.md', 'p0.md']);
  expect(fused[2]).toMatchObject({
    score: 0,
    trace: [
      { stage: 'path', rank: 1 },
      { stage: 'fuse', rank: 3 },
    ],
  });
});
