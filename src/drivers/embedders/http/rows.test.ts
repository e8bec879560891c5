import fc from 'fast-check';
import { expect, test } from 'vitest';
import { vectorBytes } from '../../../../test/servers/embedding/token-message.ts';
import { createRowGuard, rowOfBase64, rowOfNumbers, rowsOfFloat16, rowsOfFloat32 } from './rows.ts';

const floats = fc.float32Array({ minLength: 1, maxLength: 20, noNaN: true, noDefaultInfinity: true });

test('reads any vector from base64 as it was written', () => {
  fc.assert(
    fc.property(floats, (vector) => {
      expect(rowOfBase64(vectorBytes([vector], 'float32').toString('base64'))).toEqual(vector);
    }),
  );
});

test.each(['abc', 'AAAAAAA', '****'])('takes %j for no vector of 32-bit numbers', (text) => {
  const row = rowOfBase64(text);
  expect(row === undefined || row.length === 0).toBe(true);
});

test('reads rows from bytes at any place in memory', () => {
  const vectors = [Float32Array.of(1, 2, 3), Float32Array.of(-4, 5.5, 6)];
  const bytes = vectorBytes(vectors, 'float32');
  const shifted = Buffer.concat([Buffer.of(7), bytes]).subarray(1);
  expect(rowsOfFloat32(bytes, 3)).toEqual(vectors);
  expect(rowsOfFloat32(shifted, 3)).toEqual(vectors);
});

test('reads 16-bit numbers of every kind', () => {
  const bits = [0x0000, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x0001, 0x0400, 0x3555, 0x7c00, 0xfc00, 0x7e00];
  const bytes = Buffer.alloc(bits.length * 2);
  bits.forEach((value, at) => {
    bytes.writeUInt16LE(value, at * 2);
  });
  const [row] = rowsOfFloat16(bytes, bits.length);
  const expected = [0, -0, 1, -2, 65_504, 2 ** -24, 2 ** -14, 0.333251953125];
  expect([...(row ?? [])]).toEqual([...expected, Infinity, -Infinity, Number.NaN]);
});

test('expects the length that another guard has seen', () => {
  const guard = createRowGuard('host', undefined, 2);
  expect(() => guard.admit([Float32Array.of(1, 0, 0)])).toThrow('3 values; 2 came before');
  expect(() => guard.admitLength(3)).toThrow('3 values; 2 came before');
  expect(() => createRowGuard('host', 4).admitLength(3)).toThrow('3 values; 4 are asked for');
  const fresh = createRowGuard('host', undefined);
  fresh.admitLength(3);
  expect(fresh.dimensions).toBe(3);
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
