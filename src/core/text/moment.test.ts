import { expect, test } from 'vitest';
import { endOf, momentOf } from './moment.ts';

const now = new Date(2026, 2, 31, 15, 30);
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();

test.each([
  ['7d', at(2026, 2, 24, 15, 30)],
  ['2w', at(2026, 2, 17, 15, 30)],
  ['3h', now.getTime() - 3 * 3_600_000],
  ['1y', at(2025, 2, 31, 15, 30)],
  ['1 Y', at(2025, 2, 31, 15, 30)],
  ['0d', now.getTime()],
  ['today', at(2026, 2, 31)],
  ['Yesterday', at(2026, 2, 30)],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2026-01-31T12:00:00Z', Date.UTC(2026, 0, 31, 12)],
])('%s is a moment', (written, moment) => {
  expect(momentOf('since', written, now)).toBe(moment);
});

test('an age beyond all dates leaves nothing out', () => {
  expect(momentOf('since', '999999y', now)).toBeLessThan(Date.parse('0001-01-01'));
});

test.each(['', 'd', '7', '7x', '-7d', '1.5d', '7d ago', 'yesterday 1', '2026-02-30', '2026-13-01', 'foo'])(
  '%j is none',
  (written) => {
    expect(() => momentOf('since', written, now)).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
  },
);

test('lasts to the end of a day that is written without a time, and to the moment otherwise', () => {
  const until = (written: string, now?: Date) => endOf('until', written, now);
  expect(until('2026-11-18')).toBe(Date.parse('2026-11-19T00:00Z'));
  expect(until('2026-11-18T12:00:00Z')).toBe(Date.parse('2026-11-18T12:00Z'));
  const now = new Date(2026, 2, 29, 15, 30);
  expect(until('today', now)).toBe(new Date(2026, 2, 30).getTime());
  expect(until('yesterday', now)).toBe(new Date(2026, 2, 29).getTime());
  expect(until('1d', now)).toBe(new Date(2026, 2, 28, 15, 30).getTime());
});
