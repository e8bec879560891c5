import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TokenTable, tableFromBytes, vectorOf } from './token-table.ts';

const dimensions = 7;
const row = fc
  .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
  .map((values) => Float32Array.from(values));
const rows = fc.array(row, { minLength: 1, maxLength: 20 });

/** Rows in 8 bits, each with its own step, as training/token_table.py rounds them. */
function quantise(given: readonly Float32Array[], columns: number): TokenTable {
  const steps = Float32Array.from(given, (each) => Math.max(...each.map(Math.abs)) / 127);
  const values = new Int8Array(given.length * columns);
  given.forEach((each, piece) => {
    const step = steps[piece];
    if (step)
      values.set(
        each.map((value) => Math.round(value / step)),
        piece * columns,
      );
  });
  return { dimensions: columns, values, steps };
}

/** The file that training/token_table.py writes. */
function tableToBytes({ dimensions: columns, values, steps }: TokenTable): Buffer {
  const content = Buffer.concat([
    Buffer.from('quarry token table 1\n'),
    Buffer.from(Uint32Array.of(steps.length, columns).buffer),
    Buffer.from(steps.buffer),
    Buffer.from(values.buffer),
  ]);
  return Buffer.concat([content, createHash('sha256').update(content).digest()]);
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
