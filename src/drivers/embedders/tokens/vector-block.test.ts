import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf, rowsOfBlock } from './vector-block.ts';

test('gives back the rows that were put into a block, wherever they lie', () => {
  const row = fc.float32Array({ minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      expect(rowsOfBlock(blockOf(rows))).toEqual(rows);
    }),
  );
});

test('hands over the memory itself when it holds the rows in their order and nothing else', () => {
  const values = Float32Array.of(1, 2, 3, 4, 5, 6);
  const rows = [values.subarray(0, 2), values.subarray(2, 4), values.subarray(4, 6)];
  expect(blockOf(rows).values.buffer).toBe(values.buffer);
});

test.each([
  ['in another order', [2, 0, 1]],
  ['with one of them twice', [0, 1, 1]],
  ['in part', [0, 1]],
])('copies rows that lie in one memory %s', (_, order) => {
  const values = Float32Array.of(1, 2, 3, 4, 5, 6);
  const rows = order.map((at) => values.subarray(2 * at, 2 * at + 2));
  const block = blockOf(rows);
  expect(block.values.buffer).not.toBe(values.buffer);
  expect(rowsOfBlock(block)).toEqual(rows);
});

test('copies rows of which one was made apart from the memory of the others', () => {
  const values = Float32Array.of(1, 2, 3, 4);
  const rows = [values.subarray(0, 2), Float32Array.of(7, 8)];
  expect(rowsOfBlock(blockOf(rows))).toEqual(rows);
});
