import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowBytes, sketchOf, sketchScorer } from './token-sketch.ts';

const columns = 12;
const rows = (max: number) =>
  fc
    .array(
      fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: columns, maxLength: columns }),
      { minLength: 1, maxLength: max },
    )
    .map((tokens) => Float32Array.from(tokens.flat()));

/** What the signs of a vector say, value by value. */
function signs(vector: Float32Array): number[] {
  return [...vector].map((value) => (value > 0 ? 1 : -1));
}

describe('a sketch', () => {
  test('holds one bit a value, in whole bytes a token, whatever blocks the tokens come in', () => {
    fc.assert(
      fc.property(rows(6), rows(6), (one, other) => {
        const sketch = sketchOf([one, other], columns);
        expect(sketch.length).toBe(((one.length + other.length) / columns) * rowBytes(columns));
        const joined = new Float32Array([...one, ...other]);
        expect(sketchOf([joined], columns)).toEqual(sketch);
      }),
    );
  });

  test('is the same for a vector of any length', () => {
    fc.assert(
      fc.property(rows(4), fc.double({ min: 0.5, max: 100, noNaN: true }), (drawn, factor) => {
        // The least of all numbers is nothing when it is halved.
        const vectors = drawn.map((value) => (Math.abs(value) < 1e-30 ? 0 : value));
        expect(sketchOf([vectors.map((value) => value * factor)], columns)).toEqual(
          sketchOf([vectors], columns),
        );
      }),
    );
  });
});

describe('the score of a sketch', () => {
  test('is the mean over the query of the best product with signs', () => {
    fc.assert(
      fc.property(rows(20), rows(5), (query, chunk) => {
        const products = [...tokensOf(query)].map((wanted) =>
          Math.max(
            ...[...tokensOf(chunk)].map((found) => {
              const given = signs(found);
              return wanted.reduce((sum, value, column) => sum + value * (given[column] ?? 0), 0);
            }),
          ),
        );
        const mean = products.reduce((sum, product) => sum + product, 0) / products.length;
        const score = sketchScorer(query, columns).score(sketchOf([chunk], columns));
        expect(score).toBeCloseTo(mean / Math.sqrt(columns), 4);
      }),
    );
  });

  test('is the same while other queries are answered in between, and after a sketch that needs more memory', () => {
    fc.assert(
      fc.property(rows(20), rows(10), rows(5), fc.nat({ max: 20_000 }), (query, other, chunk, tokens) => {
        const scorers = [sketchScorer(query, columns), sketchScorer(other, columns)];
        const sketch = sketchOf([chunk], columns);
        const alone = scorers.map((scorer) => scorer.score(sketch));
        scorers[0]?.score(new Uint8Array(tokens * rowBytes(columns)));
        const again = scorers.map((scorer) => scorer.score(sketch));
        expect(again).toEqual(alone);
        expect(scorers.toReversed().map((scorer) => scorer.score(sketch))).toEqual(alone.toReversed());
      }),
      { numRuns: 50 },
    );
  });

  test('is the lowest where query or chunk has no token', () => {
    const token = Float32Array.from({ length: columns }, () => 1);
    expect(sketchScorer(new Float32Array(), columns).score(sketchOf([token], columns))).toBe(-1);
    expect(sketchScorer(token, columns).score(new Uint8Array())).toBe(-1);
  });

  test('is told by what is made once for a query that several ask at once, and anew for another one', () => {
    const query = Float32Array.from({ length: 2 * columns }, (_, place) => Math.sin(place));
    const asked = query.slice();
    const scorer = sketchScorer(asked, columns);
    expect(sketchScorer(query.slice(), columns)).toBe(scorer);
    expect(sketchScorer(query, columns / 2)).not.toBe(scorer);
    // What a caller does with its vectors later does not show.
    const again = sketchScorer(asked, columns);
    asked.fill(1);
    expect(sketchScorer(query, columns)).toBe(again);
    expect(sketchScorer(asked, columns)).not.toBe(again);
  });
});

function* tokensOf(vectors: Float32Array): Generator<Float32Array> {
  for (let start = 0; start < vectors.length; start += columns)
    yield vectors.subarray(start, start + columns);
}
