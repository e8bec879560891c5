import { expect, test } from 'vitest';
import { retryAfterOf } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['0', 0],
  ['120', 120_000],
  ['1.5', 1500],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 7000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['99999999999999', 86_400_000],
  ['soon', undefined],
  ['-5', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads Retry-After %j as %j ms', (value, expected) => {
  expect(retryAfterOf(value === undefined ? {} : { 'retry-after': value }, undefined, now)).toBe(expected);
});

test('reads the delay of a RetryInfo, and prefers the header', () => {
  const body = { error: { details: [null, { reason: 'x' }, { retryDelay: '3.2s' }] } };
  expect(retryAfterOf({}, body, now)).toBe(3200);
  expect(retryAfterOf({ 'retry-after': '1' }, body, now)).toBe(1000);
});

test.each([
  null,
  'text',
  { error: 'text' },
  { error: { details: 'x' } },
  { error: { details: [{ retryDelay: 5 }] } },
])('finds no delay in %j', (body) => {
  expect(retryAfterOf({}, body, now)).toBeUndefined();
});
