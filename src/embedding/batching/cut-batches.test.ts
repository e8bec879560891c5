import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimulatedDevice } from '../../testing/simulated-device.ts';
import { type BatchBounds, LengthPlan } from './cut-batches.ts';
import { areaOfBatch, type MeasuredText, measureFor } from './measured-text.ts';

const measured = fc.record({
  width: fc.integer({ min: 2, max: 600 }),
  rows: fc.integer({ min: 1, max: 3 }),
  bytes: fc.integer({ min: 0, max: 3000 }),
});
const bounds = fc.record({
  texts: fc.integer({ min: 1, max: 40 }),
  tokens: fc.integer({ min: 1, max: 20_000 }),
  bytes: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 1, max: 10_000 })),
});
const withOwners = (items: readonly Omit<MeasuredText<number>, 'owner' | 'text'>[], from: number) =>
  items.map((item, at) => ({ ...item, text: '', owner: from + at }));

test('cuts every text once, within the bounds of the moment or alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(measured, { maxLength: 300 }), bounds), { maxLength: 4 }),
      (rounds) => {
        const plan = new LengthPlan<number>();
        const cut: number[] = [];
        let given = 0;
        const keep = (batch: readonly MeasuredText<number>[], limit: BatchBounds) => {
          cut.push(...batch.map(({ owner }) => owner));
          expect(batch.length).toBeGreaterThan(0);
          if (batch.length === 1) return;
          expect(batch.length).toBeLessThanOrEqual(limit.texts);
          expect(areaOfBatch(batch)).toBeLessThanOrEqual(limit.tokens);
          expect(batch.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(limit.bytes);
        };
        for (const [items, limit] of rounds) {
          plan.refill(withOwners(items, given), limit);
          given += items.length;
          for (let batch = plan.takeFull(limit); batch; batch = plan.takeFull(limit)) keep(batch, limit);
          expect(plan.rest.texts).toBe(given - cut.length);
        }
        const last = { texts: 5, tokens: 2000, bytes: Number.POSITIVE_INFINITY };
        for (let batch = plan.takeRest(last); batch; batch = plan.takeRest(last)) keep(batch, last);
        expect(cut.toSorted((a, b) => a - b)).toEqual(Array.from({ length: given }, (_, at) => at));
        expect(plan.rest).toMatchObject({ texts: 0, bytes: 0 });
      },
    ),
  );
});

test('puts texts of like length together, so that little is padded', () => {
  const lengths = Array.from({ length: 4000 }, (_, at) => 10 + ((at * 7919) % 490));
  const items = withOwners(
    lengths.map((width) => ({ width, rows: 1, bytes: width * 4 })),
    0,
  );
  const limit = { texts: 512, tokens: 8192, bytes: Number.POSITIVE_INFINITY };
  const plan = new LengthPlan<number>();
  plan.refill(items, limit);
  let padded = 0;
  let useful = 0;
  for (let batch = plan.takeFull(limit); batch; batch = plan.takeFull(limit)) {
    padded += areaOfBatch(batch);
    useful += batch.reduce((sum, { width }) => sum + width, 0);
  }
  expect(useful / padded).toBeGreaterThan(0.97);
});

test('shows every length of text in any few batches in a row', () => {
  const items = withOwners(
    Array.from({ length: 8000 }, (_, at) => ({ width: 2 + at / 20, rows: 1, bytes: 4 })),
    0,
  );
  const limit = { texts: 4000, tokens: 4096, bytes: Number.POSITIVE_INFINITY };
  const plan = new LengthPlan<number>();
  plan.refill(items, limit);
  const widths = Array.from({ length: 8 }, () => plan.takeFull(limit)?.at(-1)?.width ?? 0);
  expect(Math.min(...widths)).toBeLessThan(40);
  expect(Math.max(...widths)).toBeGreaterThan(350);
});

test('takes what was left at one end first after the next refill', () => {
  const limit = { texts: 3, tokens: 1000, bytes: Number.POSITIVE_INFINITY };
  const plan = new LengthPlan<number>();
  plan.refill(
    withOwners(
      [5, 6, 7, 8].map((width) => ({ width, rows: 1, bytes: 1 })),
      0,
    ),
    limit,
  );
  expect(plan.takeFull(limit)?.map(({ owner }) => owner)).toEqual([0, 1, 2]);
  plan.refill(
    withOwners(
      [5, 6, 7].map((width) => ({ width, rows: 1, bytes: 1 })),
      10,
    ),
    limit,
  );
  expect(plan.takeFull(limit)?.map(({ owner }) => owner)).toEqual([11, 12, 3]);
});

test('counts a long text by its windows, and counts tokens only where a decision hangs on them', () => {
  const device = createSimulatedDevice({ maxTokens: 10 });
  const text = { text: 'abcd'.repeat(25), owner: 0 };
  expect(measureFor(device, device.limits)(text)).toMatchObject({ rows: 3, width: 12, bytes: 100 });
  const uncounted = { ...device, countTokens: () => Number.NaN };
  const plain = { ...device.limits, gainsFromSize: false };
  expect(measureFor(uncounted, plain)(text)).toMatchObject({ rows: 3, width: 12 });
  expect(measureFor(uncounted, { ...plain, batchTokens: 99 })(text).width).toBeNaN();
});
