import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSpare, takeSpare } from './spare-threads.ts';
import { createThread } from './thread.ts';

const ended: string[] = [];
function spare(name: string, kind = 'reader') {
  const thread = createThread<unknown, unknown>({ file: new URL('file:///never-started.mjs') });
  thread.end = async () => void ended.push(name);
  keepSpare(kind, thread);
  return thread;
}

beforeEach(() => {
  ended.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a thread that nobody takes is ended after some seconds, one that was taken is not', () => {
  const taken = spare('taken');
  expect(takeSpare('reader')).toBe(taken);
  spare('left');
  vi.advanceTimersByTime(4000);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(2000);
  expect(ended).toEqual(['left']);
  expect(takeSpare('reader')).toBeUndefined();
});

test('only the last two are kept, and each is taken by its kind', () => {
  spare('first');
  const second = spare('second');
  const writer = spare('third', 'writer');
  expect(ended).toEqual(['first']);
  expect(takeSpare('reader')).toBe(second);
  expect(takeSpare('reader')).toBeUndefined();
  expect(takeSpare('writer')).toBe(writer);
});
