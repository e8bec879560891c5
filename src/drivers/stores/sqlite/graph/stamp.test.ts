import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProof } from '../../../../platform/proof.ts';
import { decodeStamp, encodeStamp } from './stamp.ts';

const proof = createProof(new Uint8Array(32), 'here');
const stamp = {
  version: 2 as const,
  space: 3,
  dimensions: 384,
  count: 1000,
  lastVector: 1234,
  bytes: 5000,
  proof: '77',
  samples: [{ number: 5, checksum: 99 }],
};

test('a stamp comes back as it was written, whatever stands before it', () => {
  const encoded = encodeStamp(stamp, proof);
  const end = Buffer.concat([Buffer.alloc(100, 1), encoded]);
  expect(decodeStamp(end, stamp.bytes + encoded.length, proof)).toEqual(stamp);
});

test('a stamp that was cut or changed is no stamp', () => {
  const encoded = encodeStamp(stamp, proof);
  const size = stamp.bytes + encoded.length;
  fc.assert(
    fc.property(fc.nat(encoded.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const changed = Buffer.from(encoded);
      changed[place] = (changed[place] ?? 0) ^ change;
      expect(decodeStamp(changed, size, proof)).toBeUndefined();
      expect(decodeStamp(encoded.subarray(0, place), size - encoded.length + place, proof)).toBeUndefined();
    }),
  );
});

test('a stamp of a file of another length is no stamp', () => {
  const encoded = encodeStamp(stamp, proof);
  expect(decodeStamp(encoded, stamp.bytes + encoded.length - 1, proof)).toBeUndefined();
});

test('a stamp of another version is no stamp', () => {
  const other = encodeStamp({ ...stamp, version: 3 as never }, proof);
  expect(decodeStamp(other, stamp.bytes + other.length, proof)).toBeUndefined();
});

test('a stamp of another user or another index is no stamp', () => {
  const encoded = encodeStamp(stamp, proof);
  for (const other of [
    createProof(new Uint8Array(32).fill(1), 'here'),
    createProof(new Uint8Array(32), 'there'),
  ])
    expect(decodeStamp(encoded, stamp.bytes + encoded.length, other)).toBeUndefined();
});
