import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Candidate, chunkKey } from '../candidate.ts';
import { blendScores } from './blend-scores.ts';
import { candidate, candidates, letters, names } from './reranked.fixture.ts';

const first = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 20, maxLength: 20 });
const scored = fc.uniqueArray(fc.tuple(fc.nat(19), fc.double({ noNaN: true, noDefaultInfinity: true })), {
  selector: ([place]) => place,
});
const weights = fc.double({ min: 0, max: 1, noNaN: true });
const listOf = (values: readonly number[]) =>
  values.toSorted((a, b) => b - a).map((score, index) => candidate(`c${index}`, score));

const keyed = (list: readonly Candidate[], pairs: readonly (readonly [number, number])[]) =>
  new Map(pairs.map(([place, score]) => [chunkKey(list[place] ?? candidate('', 0)), score]));

describe('blending', () => {
  test('loses and adds nothing, stays sorted, and leaves alone what has no score', () => {
    fc.assert(
      fc.property(first, scored, weights, (values, pairs, weight) => {
        const list = listOf(values);
        const blended = blendScores(list, { scores: keyed(list, pairs), weight });
        const ids = (some: readonly Candidate[]) => some.map(({ match }) => match.chunk.id);
        expect(ids(blended).sort()).toEqual(ids(list).sort());
        expect(blended.map(({ score }) => score)).toEqual(
          blended.map(({ score }) => score).sort((one, other) => other - one),
        );
        const moved = new Set(pairs.map(([place]) => place));
        list.forEach((one, place) => {
          if (!moved.has(place)) expect(blended).toContain(one);
        });
      }),
    );
  });

  test('keeps within the scores that the search gave to the same candidates', () => {
    fc.assert(
      fc.property(first, scored, weights, (values, pairs, weight) => {
        const list = listOf(values);
        const own = pairs.map(([place]) => list[place]?.score ?? 0);
        const scores = keyed(list, pairs);
        for (const one of blendScores(list, { scores, weight })) {
          if (!scores.has(chunkKey(one))) continue;
          expect(one.score).toBeGreaterThanOrEqual(Math.min(...own, Math.max(...own) - 0.02) - 1e-9);
          expect(one.score).toBeLessThanOrEqual(Math.max(...own) + 1e-9);
        }
      }),
    );
  });

  test('tells apart what the search finds equally good', () => {
    const equal = letters.map((name) => candidate(name, 0.5));
    const pairs = letters.map((_, place) => [place, place] as const);
    expect(names(blendScores(equal, { scores: keyed(equal, pairs), weight: 0.5 }))).toBe('hgfedcba');
  });

  test('changes no score where all are scored alike, or one alone is', () => {
    for (const pairs of [[0, 1, 2].map((place) => [place, 7] as const), [[3, 9] as const]]) {
      const blended = blendScores(candidates, { scores: keyed(candidates, pairs), weight: 1 });
      expect(blended.map(({ score }) => score)).toEqual(candidates.map(({ score }) => score));
    }
  });

  test('never lowers a candidate whose score rises', () => {
    const small = fc.uniqueArray(fc.tuple(fc.nat(19), fc.integer({ min: -50, max: 50 })), {
      minLength: 2,
      selector: ([place]) => place,
    });
    fc.assert(
      fc.property(first, small, weights, fc.nat(19), fc.nat(100), (values, pairs, weight, pick, rise) => {
        const list = listOf(values);
        const [place, score] = pairs[pick % pairs.length] ?? [0, 0];
        const id = list[place]?.match.chunk.id;
        const placeIn = (some: readonly (readonly [number, number])[]) =>
          blendScores(list, { scores: keyed(list, some), weight }).findIndex(
            ({ match }) => match.chunk.id === id,
          );
        const risen = pairs.map((pair) => (pair[0] === place ? ([place, score + rise] as const) : pair));
        // Where all have the same score, it says nothing.
        fc.pre(new Set(pairs.map(([, given]) => given)).size > 1);
        fc.pre(new Set(risen.map(([, given]) => given)).size > 1);
        expect(placeIn(risen)).toBeLessThanOrEqual(placeIn(pairs));
      }),
    );
  });
});
