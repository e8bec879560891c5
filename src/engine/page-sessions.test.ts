import { expect, test } from 'vitest';
import { createPageSessions } from './page-sessions.ts';

const minute = 60_000;

test('a link opens one session, once', () => {
  const sessions = createPageSessions();
  const key = sessions.invite();
  const token = sessions.admit(key) ?? '';
  expect(sessions.has(token)).toBe(true);
  expect(sessions.has(key)).toBe(false);
  expect(sessions.admit(key)).toBeUndefined();
  expect(sessions.admit('guess')).toBeUndefined();
});

test('a link is too old after two minutes, a session after half a day without use', () => {
  let now = 0;
  const sessions = createPageSessions(() => now);
  const late = sessions.invite();
  const token = sessions.admit(sessions.invite()) ?? '';
  now = 3 * minute;
  expect(sessions.admit(late)).toBeUndefined();
  now = 11 * 60 * minute;
  expect(sessions.has(token)).toBe(true);
  now += 11 * 60 * minute;
  expect(sessions.has(token)).toBe(true);
  // To look whether it holds is no use of it.
  now += 11 * 60 * minute;
  expect(sessions.holds(token)).toBe(true);
  now += 2 * 60 * minute;
  expect([sessions.holds(token), sessions.has(token)]).toEqual([false, false]);
});

test('a session that was ended is none, and others go on', () => {
  const sessions = createPageSessions();
  const [first = '', second = ''] = [sessions.admit(sessions.invite()), sessions.admit(sessions.invite())];
  sessions.end(first);
  expect([sessions.has(first), sessions.has(second)]).toEqual([false, true]);
});
