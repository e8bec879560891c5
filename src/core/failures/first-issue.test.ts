import { expect, test } from 'vitest';
import { z } from 'zod';
import { firstIssue, untilFirstIssue } from './first-issue.ts';

const item = z.strictObject({ name: z.string(), size: z.int() });
const schema = z.strictObject({
  items: z.array(item).default([]),
  pairs: z.array(z.tuple([z.string(), z.string()])).default([]),
});
const many = <Value>(value: Value): Value[] => Array.from({ length: 1000 }, () => value);

test.each([
  ['items', { items: many({}) }],
  ['values', { items: many(0) }],
  ['pairs', { pairs: many([0, 0]) }],
])('of a thousand bad %s only the first is looked at', (_, value) => {
  const { error } = schema.safeParse(value, untilFirstIssue);
  expect(error?.issues.length).toBeLessThanOrEqual(2);
  expect(
    z.tuple([schema]).safeDecode([value] as never, untilFirstIssue).error?.issues.length,
  ).toBeLessThanOrEqual(2);
});

test('what is right stays as it is, and a mistake is named in a few words', () => {
  const right = { items: [{ name: 'a', size: 1 }], pairs: [['a', 'b']] };
  expect(schema.safeParse(right, untilFirstIssue).data).toEqual(right);
  const { error } = schema.safeParse({ ['x'.repeat(1e5)]: 1 }, untilFirstIssue);
  expect(firstIssue(error as z.ZodError, 'the input')).toMatch(/^the input: .{250,}…$/);
  const { error: deeper } = schema.safeParse({ items: [{ name: 'a', size: 'b' }] }, untilFirstIssue);
  expect(firstIssue(deeper as z.ZodError, 'the input')).toMatch(/^items\.0\.size: /);
});
