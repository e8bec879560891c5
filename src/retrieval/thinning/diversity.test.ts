import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoreMatch } from '../../contracts/store.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { diversify } from './diversity.ts';

function candidates(...texts: readonly (readonly [score: number, text: string])[]) {
  return texts.flatMap(([score, text], index) => {
    const document = documentRecord(`${index}`);
    return chunkEntries(document, [text]).map(({ chunk }) => {
      const match: StoreMatch = { chunk, document, score };
      return { match, score };
    });
  });
}

const uris = (list: readonly { readonly match: StoreMatch }[]) => list.map(({ match }) => match.document.uri);

test('puts what repeats a better hit behind what says something else', () => {
  const ranked = candidates(
    [1, 'red apples are sweet'],
    [0.9, 'Red apples are sweet too'],
    [0.8, 'pears'],
    [0, ''],
  );
  expect(uris(diversify(ranked, { lambda: 0.5, limit: 10 }))).toEqual(['0', '2', '1', '3']);
  expect(uris(diversify(ranked, { lambda: 0.95, limit: 10 }))).toEqual(['0', '1', '2', '3']);
});

test('leaves what stands behind its limit as it is', () => {
  const ranked = candidates([1, 'a b'], [0.9, 'a b'], [0.8, 'a b'], [0.7, 'c']);
  expect(uris(diversify(ranked, { lambda: 0.5, limit: 1 }))).toEqual(['0', '1', '2', '3']);
  expect(uris(diversify(ranked, { lambda: 0.5, limit: 2 }))).toEqual(['0', '3', '1', '2']);
});

test('any list keeps its members, and its order where lambda is 1 or nothing is alike', () => {
  const scored = fc.array(fc.tuple(fc.double({ min: 0, max: 2, noNaN: true }), fc.string()), {
    maxLength: 15,
  });
  fc.assert(
    fc.property(scored, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20), (list, lambda, limit) => {
      const ranked = candidates(...[...list].sort(([one], [other]) => other - one));
      expect(uris(diversify(ranked, { lambda, limit })).sort()).toEqual(uris(ranked).sort());
      expect(diversify(ranked, { lambda: 1, limit })).toEqual(ranked);
      const apart = candidates(...list.map(([score], index) => [score, `word${index}`] as const));
      apart.sort((one, other) => other.score - one.score);
      expect(uris(diversify(apart, { lambda: Math.max(0.01, lambda), limit }))).toEqual(uris(apart));
    }),
  );
});
