import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyTable,
  setRow,
  type TokenTable,
  tableFromBytes,
  tableToBytes,
  vectorOf,
} from './token-table.ts';

const dimensions = 7;
const row = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
  .map((values) => Float32Array.from(values));
const rows = fc.array(row, { minLength: 1, maxLength: 20 });

function quantise(given: readonly Float32Array[], columns: number): TokenTable {
  const table = emptyTable(given.length, columns);
  for (const [piece, each] of given.entries()) setRow(table, piece, each);
  return table;
}

test('comes back from its bytes as it was', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const table = quantise(given, dimensions);
      const read = tableFromBytes(tableToBytes(table));
      expect(read?.dimensions).toBe(dimensions);
      expect([...(read?.values ?? [])]).toEqual([...table.values]);
      expect([...(read?.steps ?? [])]).toEqual([...table.steps]);
    }),
  );
});

test('is refused when any byte is changed, missing or added', () => {
  fc.assert(
    fc.property(rows, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, place, change) => {
      const bytes = tableToBytes(quantise(given, dimensions));
      const changed = Buffer.from(bytes);
      changed[place % bytes.length] = (changed[place % bytes.length] ?? 0) ^ change;
      expect(tableFromBytes(changed)).toBeUndefined();
      expect(tableFromBytes(bytes.subarray(0, place % bytes.length))).toBeUndefined();
      expect(tableFromBytes(Buffer.concat([bytes, Buffer.from([change])]))).toBeUndefined();
    }),
  );
});

test('gives a unit vector for any pieces, known or not', () => {
  fc.assert(
    fc.property(rows, fc.array(fc.nat({ max: 40 })), (given, pieces) => {
      const vector = vectorOf(quantise(given, dimensions), pieces);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }),
  );
});

test('points to the weighted mean of its pieces, as often as they occur', () => {
  const table = quantise(
    [
      [3, 0, 0, 0, 0, 0, 1],
      [0, 0, 0, 0, 0, 2, 0],
    ].map((r) => Float32Array.from(r)),
    7,
  );
  const expected = [6, 0, 0, 0, 0, 2, 2].map((value) => value / Math.hypot(6, 2, 2));
  vectorOf(table, [0, 1, 0]).forEach((value, column) => {
    expect(value).toBeCloseTo(expected[column] ?? 0, 2);
  });
});

test('rounds a row by at most half a step', () => {
  fc.assert(
    fc.property(row, (given) => {
      const { values, steps } = quantise([given], dimensions);
      const step = steps[0] ?? 0;
      given.forEach((value, column) => {
        expect(Math.abs(value - step * (values[column] ?? 0))).toBeLessThanOrEqual(step * 0.5001 + 1e-30);
      });
    }),
  );
});
