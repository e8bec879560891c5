import fc from 'fast-check';
import { expect, test } from 'vitest';
import { vectorBytes } from '../../../../test/servers/embedding/vector-bytes.ts';
import { createRowGuard, rowOfBase64, rowOfNumbers } from './rows.ts';

const floats = fc.float32Array({ minLength: 1, maxLength: 20, noNaN: true, noDefaultInfinity: true });

test('reads any vector from base64 as it was written', () => {
  fc.assert(
    fc.property(floats, (vector) => {
      expect(rowOfBase64(vectorBytes(vector).toString('base64'))).toEqual(vector);
    }),
  );
});

test.each(['abc', 'AAAAAAA', '****'])('takes %j for no vector of 32-bit numbers', (text) => {
  const row = rowOfBase64(text);
  expect(row === undefined || row.length === 0).toBe(true);
});

test('expects the length that came before', () => {
  const guard = createRowGuard('host', undefined);
  guard.admit([Float32Array.of(1, 0)]);
  expect(() => guard.admit([Float32Array.of(1, 0, 0)])).toThrow('3 values; 2 came before');
  expect(() => createRowGuard('host', 4).admit([Float32Array.of(1, 0, 0)])).toThrow(
    '3 values; 4 are asked for',
  );
});

test('takes what is no list for no row, and what is no number for not finite', () => {
  expect(rowOfNumbers('text')).toBeUndefined();
  expect(rowOfNumbers({ length: 3 })).toBeUndefined();
  expect(rowOfNumbers([1, null, '2'])).toEqual(Float32Array.of(1, Number.NaN, Number.NaN));
});

test('makes unit vectors of any vector that has a direction', () => {
  fc.assert(
    fc.property(floats, (vector) => {
      fc.pre(
        vector.some((value) => Math.abs(value) > 1e-15) && vector.every((value) => Math.abs(value) < 1e30),
      );
      const [row] = createRowGuard('host', undefined).admit([vector.slice()]);
      expect(Math.hypot(...(row ?? []))).toBeCloseTo(1, 4);
    }),
  );
});

test('keeps to the first length that came', () => {
  const guard = createRowGuard('host', undefined);
  expect(guard.dimensions).toBeUndefined();
  guard.admit([]);
  expect(guard.dimensions).toBeUndefined();
  guard.admit([Float32Array.of(3, 4)]);
  expect(guard.dimensions).toBe(2);
  expect(() => guard.admit([Float32Array.of(1, 0, 0)])).toThrow('3 values; 2 came before');
  expect(() => guard.admit([Float32Array.of(1, 0), Float32Array.of(1)])).toThrow('1 values; 2 came before');
  expect(guard.dimensions).toBe(2);
});

test('remembers no length of vectors that it refuses', () => {
  const guard = createRowGuard('host', undefined);
  expect(() => guard.admit([Float32Array.of(1, Number.NaN)])).toThrow('not finite');
  expect(() => guard.admit([Float32Array.of(0, 0)])).toThrow('all zeros');
  expect(() => guard.admit([new Float32Array()])).toThrow('0 values');
  expect(guard.dimensions).toBeUndefined();
});
