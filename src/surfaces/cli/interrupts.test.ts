import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { followInterrupts } from './interrupts.ts';

test.each(['SIGINT', 'SIGTERM'])(
  '%s stops the work, and leaves a second one of either kind to the system',
  (name) => {
    const source = new EventEmitter();
    const { signal } = followInterrupts(source);
    expect(signal.aborted).toBe(false);
    source.emit(name);
    expect(signal.aborted).toBe(true);
    expect(source.eventNames()).toEqual([]);
  },
);

test('after the work nobody listens, and nothing is stopped', () => {
  const source = new EventEmitter();
  const { signal, release } = followInterrupts(source);
  release();
  expect(source.eventNames()).toEqual([]);
  expect(signal.aborted).toBe(false);
});
