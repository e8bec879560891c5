import { expect, test } from 'vitest';
import { QuarryError } from './errors.ts';
import { eventSchema, eventToData, type QuarryEvent } from './events.ts';
import { type Progress, progressOf } from './progress.ts';

/** The progress after each of some events. */
function follow(...events: QuarryEvent[]): (Progress | undefined)[] {
  let before: Progress | undefined;
  return events.map((event) => {
    before = progressOf(event, before);
    return before;
  });
}

test('files are counted from the moment that all are known, and what the scan leaves out is none of them', () => {
  const skipped = { uri: 'x', reason: 'binary', rule: 'r' } as const;
  const steps = follow(
    { type: 'scan-start' },
    { type: 'path-skipped', skipped },
    { type: 'scan-end', files: 3, changed: 3, skipped: 1 },
    { type: 'document-indexed', uri: 'a', chunks: 2 },
    { type: 'path-skipped', skipped },
    { type: 'document-failed', uri: 'b', reason: 'r' },
  );
  expect(steps.map((step) => step?.phase)).toEqual([
    'scanning',
    'scanning',
    'reading',
    'reading',
    'reading',
    'reading',
  ]);
  expect(steps.at(-1)).toEqual({
    phase: 'reading',
    text: 'Reading',
    done: 3,
    total: 3,
    unit: 'files',
    chunks: 2,
  });
});

test('each phase has its own count, and between two of them nothing is under way', () => {
  expect(
    follow(
      { type: 'scan-end', files: 1, changed: 0, skipped: 0 },
      { type: 'model-loading', name: 'm' },
      { type: 'model-ready', name: 'm', seconds: 1 },
      { type: 'vectors-added', done: 1, total: 4 },
      { type: 'vectors-paused', pending: 3 },
      { type: 'search-preparing', done: 0, total: 9 },
      { type: 'search-prepared', seconds: 1 },
      { type: 'questions-answered', set: 's', done: 2, total: 5 },
    ).map((step) => step && [step.phase, step.done, step.total, step.unit]),
  ).toEqual([
    undefined,
    ['loading', 0, undefined, ''],
    undefined,
    ['embedding', 1, 4, 'chunks'],
    ['embedding', 1, 4, 'chunks'],
    ['preparing', 0, 9, 'vectors'],
    undefined,
    ['asking', 2, 5, 'questions'],
  ]);
});

test('an event that becomes data and an event again is the same, its error included', () => {
  const error = new QuarryError('provider-unreachable', 'm', 'r', { retryAfter: 5 });
  const event: QuarryEvent = { type: 'pass-failed', pass: 2, error, retrySeconds: 3 };
  const data = JSON.parse(JSON.stringify(eventToData(event)));
  expect(data.error).toEqual({ code: 'provider-unreachable', message: 'm', remedy: 'r', retryAfter: 5 });
  const again = eventSchema.parse(data);
  expect(again).toEqual(event);
  expect('error' in again && again.error).toBeInstanceOf(QuarryError);
  expect(() => eventSchema.parse({ type: 'nothing-known' })).toThrow();
});

test('every event says what it means', () => {
  for (const { description } of eventSchema.options) expect(description).toMatch(/^[A-Z].*\.$/);
});
