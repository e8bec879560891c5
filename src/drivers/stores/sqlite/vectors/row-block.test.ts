import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadKernel, reserveMemory } from './kernel.ts';
import { VectorMatrix } from './matrix.ts';
import { quantiseQuery, quantiseVector } from './quantise.ts';
import { RowBlock } from './row-block.ts';

const byte = fc.integer({ min: -128, max: 127 });

test('this runtime has the kernel', () => {
  const memory = reserveMemory(1);
  expect(memory && loadKernel(memory)).toBeTypeOf('function');
});

test('the kernel computes what plain arithmetic computes, for any length and any choice of rows', () => {
  const shape = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
    fc.record({
      rows: fc.array(fc.array(byte, { minLength: dimensions, maxLength: dimensions }), {
        minLength: 1,
        maxLength: 30,
      }),
      query: fc.array(fc.integer({ min: -9000, max: 9000 }), {
        minLength: dimensions,
        maxLength: dimensions,
      }),
      picks: fc.array(fc.nat(), { maxLength: 40 }),
    }),
  );
  fc.assert(
    fc.property(shape, ({ rows, query, picks }) => {
      const numbers = picks.map((pick) => pick % rows.length);
      const answers = [true, false].map((useKernel) => {
        const block = new RowBlock(query.length, { useKernel });
        for (const [row, values] of rows.entries()) block.write(row, Int8Array.from(values));
        block.ask(Int16Array.from(query));
        return Array.from(block.products(numbers, numbers.length).subarray(0, numbers.length));
      });
      const expected = numbers.map((number) =>
        (rows[number] ?? []).reduce((sum, value, index) => sum + value * (query[index] ?? 0), 0),
      );
      expect(answers).toEqual([expected, expected]);
    }),
  );
});

test('a block grows without losing a row or the query', () => {
  for (const useKernel of [true, false]) {
    const block = new RowBlock(40, { useKernel });
    block.ask(new Int16Array(40).fill(1));
    for (let row = 0; row < 20_000; row += 1) block.write(row, new Int8Array(40).fill(row % 100));
    const numbers = [0, 1, 1023, 1024, 19_999];
    expect(Array.from(block.products(numbers, 5).subarray(0, 5))).toEqual([0, 40, 920, 960, 3960]);
    expect(block.bytes).toBeGreaterThan(20_000 * 40);
  }
});

test('a matrix of several blocks finds what a matrix of one finds', () => {
  const many = new VectorMatrix(16, { blockBytes: 1 });
  const one = new VectorMatrix(16);
  for (let key = 1; key <= 10_000; key += 1) {
    const angle = (key * 2.399) % 6.283;
    const vector = Float32Array.from({ length: 16 }, (_, index) => Math.cos(angle * (index + 1)));
    for (const matrix of [many, one]) matrix.set(key, quantiseVector(vector));
  }
  for (const matrix of [many, one]) {
    matrix.retain(new Set(Array.from({ length: 9500 }, (_, index) => index + 400)));
  }
  const query = quantiseQuery(Float32Array.from({ length: 16 }, (_, index) => Math.cos(index + 1)));
  expect(many.size).toBe(9500);
  expect(many.nearest(query, 50)).toEqual(one.nearest(query, 50));
  const among = [9899, 500, 5000, 8000, 4100, 500, 100_000];
  expect(many.nearest(query, 5, among)).toEqual(one.nearest(query, 5, among));
});
