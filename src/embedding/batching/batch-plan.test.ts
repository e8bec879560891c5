import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSimulatedDevice } from '../../../test/simulated-device.ts';
import { type Batch, type BatchBounds, BatchPlan } from './batch-plan.ts';
import { type MeasuredText, measureFor } from './measured-text.ts';

type Size = Omit<MeasuredText<number>, 'owner' | 'text'>;

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
const roomy = { texts: 4000, tokens: 4096, bytes: Number.POSITIVE_INFINITY };

function planOf(sizes: readonly Size[], from = 0, plan = new BatchPlan<number>()): BatchPlan<number> {
  for (const [at, size] of sizes.entries()) plan.add({ ...size, text: '', owner: from + at });
  return plan;
}

const ofWidth = (widths: readonly number[]): Size[] => widths.map((width) => ({ width, rows: 1, bytes: 4 }));
const ownersOf = (batch: Batch<number> | undefined) => batch?.items.map(({ owner }) => owner);

test('cuts every text once, within the bounds of the moment or alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(measured, { maxLength: 300 }), bounds), { maxLength: 4 }),
      (rounds) => {
        const plan = new BatchPlan<number>();
        const cut: number[] = [];
        let given = 0;
        const keep = (batch: Batch<number>, limit: BatchBounds) => {
          cut.push(...(ownersOf(batch) ?? []));
          expect(batch.items.length).toBeGreaterThan(0);
          if (batch.items.length === 1) return;
          expect(batch.items.length).toBeLessThanOrEqual(limit.texts);
          expect(batch.tokens).toBeLessThanOrEqual(limit.tokens);
          expect(batch.bytes).toBeLessThanOrEqual(limit.bytes);
        };
        for (const [items, limit] of rounds) {
          planOf(items, given, plan);
          given += items.length;
          // What is left is cut again with the bounds of the next round.
          for (let left = 3; left > 0; left -= 1) {
            const batch = plan.next(limit, () => true);
            if (batch) keep(batch, limit);
          }
        }
        const last = { texts: 5, tokens: 2000, bytes: Number.POSITIVE_INFINITY };
        for (let batch = plan.next(last, () => true); batch; batch = plan.next(last, () => true))
          cut.push(...(ownersOf(batch) ?? []));
        expect(plan.isEmpty).toBe(true);
        expect(cut.toSorted((one, other) => one - other)).toEqual(
          Array.from({ length: given }, (_, at) => at),
        );
      },
    ),
  );
});

test('puts texts of like length together, so that little is padded', () => {
  const plan = planOf(ofWidth(Array.from({ length: 4000 }, (_, at) => 10 + ((at * 7919) % 490))));
  const limit = { ...roomy, texts: 512, tokens: 8192 };
  let padded = 0;
  let useful = 0;
  for (let batch = plan.next(limit, () => true); batch; batch = plan.next(limit, () => true)) {
    padded += batch.tokens;
    useful += batch.usefulTokens;
  }
  expect(useful / padded).toBeGreaterThan(0.97);
});

test('shows every length of text in any few batches in a row', () => {
  const plan = planOf(ofWidth(Array.from({ length: 8000 }, (_, at) => 2 + at / 20)));
  const widths = Array.from({ length: 8 }, () => plan.next(roomy, () => true)?.items.at(-1)?.width ?? 0);
  expect(Math.min(...widths)).toBeLessThan(120);
  expect(Math.max(...widths)).toBeGreaterThan(350);
});

test('cuts nothing before there is enough, but cuts again at once when the size of calls changes', () => {
  const plan = planOf(ofWidth(Array.from({ length: 100 }, () => 10)));
  expect(plan.looseBatches(roomy)).toBeCloseTo(1000 / 4096);
  expect(plan.next(roomy, () => false)).toBeUndefined();
  const small = { ...roomy, tokens: 100 };
  expect(plan.next(small, () => true)?.items).toHaveLength(10);
  expect(plan.next({ ...small, tokens: 200 }, () => false)?.items).toHaveLength(20);
});

test('takes what was left at one end first the next time', () => {
  const limit = { ...roomy, texts: 3 };
  const plan = planOf(ofWidth([5, 6, 7, 8]));
  const [first] = ownersOf(plan.next(limit, () => true)) ?? [];
  // The shortest or the longest is left; it goes with those of its length.
  const left = first === 3 ? 0 : 3;
  planOf(ofWidth(left === 0 ? [5, 7, 7] : [6, 8, 8]), 10, plan);
  expect(ownersOf(plan.next(limit, () => true))).toContain(left);
});

test('counts a long text by its windows, and counts tokens only where a decision hangs on them', () => {
  const device = createSimulatedDevice({ maxTokens: 10 });
  const text = { text: 'abcd'.repeat(25), owner: 0 };
  expect(measureFor(device)(text)).toMatchObject({ rows: 3, width: 12, bytes: 100 });
  const limits = { ...device.limits, gainsFromSize: false };
  const uncounted = { ...device, limits, countTokens: () => Number.NaN };
  expect(measureFor(uncounted)(text)).toMatchObject({ rows: 3, width: 12 });
  expect(measureFor({ ...uncounted, limits: { ...limits, batchTokens: 99 } })(text).width).toBeNaN();
});
