import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexEvent } from '../../core/events.ts';
import { VectorTurn } from './vector-turn.ts';
import { defaultTiming } from './watch-timing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const { vectorTurn, vectorPatience, maxPatience } = defaultTiming;
const scan: IndexEvent = { type: 'scan-start' };
const loading: IndexEvent = { type: 'model-loading', name: 'm' };
const added: IndexEvent = { type: 'vectors-added', done: 32, total: 100 };

/** A turn in a pass that has heard these events. */
function turnAfter(...events: IndexEvent[]): VectorTurn {
  const turn = new VectorTurn(defaultTiming);
  for (const event of events) turn.hear(event);
  return turn;
}

test('text is never interrupted, nor what comes when no vectors are missing', () => {
  expect(new VectorTurn(defaultTiming).left).toBe(Number.POSITIVE_INFINITY);
  expect(turnAfter(scan).left).toBe(Number.POSITIVE_INFINITY);
});

test('vectors are made for a few seconds before they are interrupted', () => {
  const turn = turnAfter(scan, loading, added);
  expect(turn.left).toBe(vectorTurn);
  vi.advanceTimersByTime(vectorTurn);
  expect(turn.left).toBe(0);
});

test('vectors that were interrupted are made for as long as the text in between took', () => {
  const turn = turnAfter(scan);
  vi.advanceTimersByTime(600_000);
  for (const event of [loading, added]) turn.hear(event);
  // What has changed while much was read waits no longer than usual.
  expect(turn.left).toBe(vectorTurn);
  turn.ended(true);
  turn.hear(scan);
  vi.advanceTimersByTime(20_000);
  for (const event of [loading, added]) turn.hear(event);
  expect(turn.left).toBe(20_000);
});

test('a model that has made nothing yet is given longer each time, until it has', () => {
  const turn = new VectorTurn(defaultTiming);
  const lengthOfNext = (...events: IndexEvent[]): number => {
    for (const event of [scan, loading, ...events]) turn.hear(event);
    const { left } = turn;
    turn.ended(true);
    return left;
  };
  expect([1, 2, 3, 4, 5].map(() => lengthOfNext() / vectorPatience)).toEqual([1, 2, 4, 6, 6]);
  expect(maxPatience / vectorPatience).toBe(6);
  expect(lengthOfNext(added)).toBe(vectorTurn);
  expect(lengthOfNext()).toBe(vectorPatience);
});

test('waiting for another process to make them may end at once', () => {
  const waiting: IndexEvent = { type: 'index-waiting' };
  expect(turnAfter(waiting).left).toBe(Number.POSITIVE_INFINITY);
  const turn = turnAfter(waiting, scan, waiting);
  expect(turn.left).toBe(0);
  turn.hear(loading);
  expect(turn.left).toBe(vectorPatience);
});
