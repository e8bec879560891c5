import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../../test/virtual-clock.ts';
import { followInterrupts } from './interrupts.ts';

test.each(['SIGINT', 'SIGTERM'])(
  '%s stops the work, and leaves a second one of either kind to the system',
  (name) => {
    const source = new EventEmitter();
    const { signal } = followInterrupts(source, () => {}, createVirtualClock());
    expect(signal.aborted).toBe(false);
    source.emit(name, name);
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

/** Interrupts work, and returns the signals that end the process while nothing else is left to do. */
async function endedBy(name: NodeJS.Signals, isReleased: boolean): Promise<NodeJS.Signals[]> {
  const source = new EventEmitter();
  const clock = createVirtualClock();
  const ended: NodeJS.Signals[] = [];
  const { release } = followInterrupts(source, (signal) => ended.push(signal), clock);
  source.emit(name, name);
  if (isReleased) release();
  await clock.wait(3_600_000);
  return ended;
}

test('work that cannot be cancelled is ended by the system after a while', async () => {
  expect(await endedBy('SIGINT', false)).toEqual(['SIGINT']);
  expect(await endedBy('SIGTERM', false)).toEqual(['SIGTERM']);
});

test('work that ends in time is not', async () => {
  expect(await endedBy('SIGINT', true)).toEqual([]);
});
