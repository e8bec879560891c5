import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createProof } from './proof.ts';

const key = new Uint8Array(32).fill(7);
const proof = createProof(key, 'here');
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '1', 'null'),
  fc.integer(),
  fc.constant(null),
  fc.uint8Array(),
);

test('a proof holds for the values it was made of, and for no others', () => {
  fc.assert(
    fc.property(fc.array(value), fc.array(value), (values, others) => {
      const made = proof.of('row', values);
      expect(proof.holds(made, 'row', values)).toBe(true);
      const isSame = JSON.stringify(values.map(shown)) === JSON.stringify(others.map(shown));
      expect(proof.holds(made, 'row', others)).toBe(isSame);
    }),
  );
});

test('nothing moves from one value to the next, to another kind, place or key', () => {
  const made = proof.of('row', ['ab', 'c']);
  expect(proof.holds(made, 'row', ['a', 'bc'])).toBe(false);
  expect(proof.holds(made, 'row', ['ab', new Uint8Array([99])])).toBe(false);
  expect(proof.holds(made, 'other', ['ab', 'c'])).toBe(false);
  expect(createProof(key, 'there').holds(made, 'row', ['ab', 'c'])).toBe(false);
  expect(createProof(new Uint8Array(32), 'here').holds(made, 'row', ['ab', 'c'])).toBe(false);
});

test('what is no proof holds nothing', () => {
  const made = proof.of('row', [1]);
  for (const given of [undefined, null, '', made.toString(), made.subarray(1), Buffer.alloc(16)])
    expect(proof.holds(given, 'row', [1])).toBe(false);
});

test('bytes that come in pieces have one proof, however they were cut', () => {
  const whole = proof.ofPieces('file');
  whole.add(Buffer.from('abc'));
  const cut = proof.ofPieces('file');
  cut.add(Buffer.from('a'));
  cut.add(Buffer.from('bc'));
  expect(cut.end()).toEqual(whole.end());
});

test('is a part of the hash of the key and what stands there, as indexes on disk have it', () => {
  const text = `${'07'.repeat(32)}string:4:herestring:3:rownumber:1:5string:1:xobject:4:null`;
  const expected = createHash('sha512').update(text).digest().subarray(0, 16);
  expect(proof.of('row', [5, 'x', null])).toEqual(expected);
});

function shown(each: unknown): unknown {
  return each instanceof Uint8Array ? ['bytes', ...each] : [typeof each, String(each)];
}
