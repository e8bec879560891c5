import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checksumOf } from './rows.ts';

test('the checksum of a row is that of its values with their kind and length, as indexes on disk have it', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\ud800', '\udc00b', ''),
    fc.double(),
    fc.constant(null),
    fc.uint8Array(),
  );
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const bytes = values.map((each) => (each instanceof Uint8Array ? each : Buffer.from(String(each))));
      const whole = values.flatMap((each, at) => [
        Buffer.from(`${typeof each}:${bytes[at]?.length}:`),
        bytes[at] ?? Buffer.alloc(0),
      ]);
      expect(checksumOf(values)).toBe(crc32(Buffer.concat(whole)));
    }),
  );
  expect(checksumOf([1, 'a', null, new Uint8Array([7])])).toBe(1010_045_336);
});
