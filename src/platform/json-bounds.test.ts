import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundJson } from './json-bounds.ts';

const bounds = { values: 100, numbers: 1000 };
const check = (text: string, size = text.length): void => {
  const take = boundJson(bounds);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += Math.max(1, size))
    take(bytes.subarray(at, at + Math.max(1, size)));
};

test.each([
  ['lists in lists', '['.repeat(33)],
  ['objects in objects', '{"a":'.repeat(33)],
  ['many empty lists', `[${'[],'.repeat(60)}1]`],
  ['many keys', `{${Array.from({ length: 110 }, (_, at) => `"${at}":1`).join(',')}}`],
  ['many strings', `[${'"",'.repeat(101)}1]`],
  ['many numbers', `[${'1,'.repeat(1001)}1]`],
  ['what is no JSON', ','.repeat(101)],
])('refuses %s', (_, text) => {
  expect(() => check(text)).toThrow(expect.objectContaining({ code: 'request-too-large' }));
  expect(() => check(text, 1)).toThrow(expect.objectContaining({ code: 'request-too-large' }));
});

test('refuses an object of very many keys, not many objects of some', () => {
  const take = boundJson({ values: 1e6, numbers: 1e6 });
  const keys = Array.from({ length: 900 }, (_, at) => `"${at}":null`).join(',');
  expect(() => take(Buffer.from(`[${`{${keys}},`.repeat(5)}{${keys}`))).not.toThrow();
  expect(() => take(Buffer.from(`,${keys}`))).toThrow(expect.objectContaining({ code: 'request-too-large' }));
});

test.each([
  ['a vector', `{"embedding":[${'-1.5e-3, '.repeat(1000)}1]}`],
  ['32 levels', `${'['.repeat(32)}${']'.repeat(32)}`],
  ['signs inside of texts', JSON.stringify({ text: '[{,:"\\'.repeat(1000) })],
  ['levels that end', `[${'[[[]]],'.repeat(20)}1]`],
])('takes %s', (_, text) => {
  expect(() => check(text)).not.toThrow();
  expect(() => check(text, 1)).not.toThrow();
});

test('a document means the same in whichever parts it arrives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), (value, size) => {
      const outcome = (parts: number): string => {
        try {
          check(JSON.stringify(value), parts);
          return 'taken';
        } catch {
          return 'refused';
        }
      };
      expect(outcome(size)).toBe(outcome(1e9));
    }),
  );
});
