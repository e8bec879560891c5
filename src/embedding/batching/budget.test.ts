import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstBudget, TokenBudget } from './budget.ts';

/** A device whose calls cost `perCall + perToken * tokens` and that has memory for so many tokens. */
interface Model {
  readonly perCall: number;
  readonly perToken: number;
  readonly memory: number;
}

const model: fc.Arbitrary<Model> = fc.record({
  perCall: fc.double({ min: -1, max: 4, noNaN: true }).map((power) => 10 ** power),
  perToken: fc.double({ min: -5, max: -2, noNaN: true }).map((power) => 10 ** power),
  memory: fc.double({ min: 4, max: 22, noNaN: true }).map((power) => 2 ** power),
});

const rate = (tokens: number, { perCall, perToken }: Model) => tokens / (perCall + perToken * tokens);

function budgetFor(limit = Number.POSITIVE_INFINITY, searches = true): TokenBudget {
  const budget = new TokenBudget();
  budget.aim({ limit, searches });
  return budget;
}

/** Makes calls that fill the given share of the budget; true when the last one fitted. */
function callOnce(budget: TokenBudget, device: Model, fill = 1): boolean {
  const tokens = budget.tokens * fill;
  if (tokens > device.memory) budget.tooLarge(tokens);
  else budget.succeeded(tokens, rate(tokens, device));
  return tokens <= device.memory;
}

function callOften(budget: TokenBudget, device: Model, calls: number): void {
  for (let call = 0; call < calls; call += 1) callOnce(budget, device);
}

describe('the search', () => {
  test('settles in at most |log2(memory / first size)| + 8 moves, however full the calls are', () => {
    fc.assert(
      fc.property(
        model,
        fc.infiniteStream(fc.double({ min: 0.51, max: 1, noNaN: true })),
        (device, fills) => {
          const budget = budgetFor();
          const calls = 9 * (Math.abs(Math.log2(device.memory / firstBudget)) + 9);
          for (let call = 0; call < calls && !budget.isSettled; call += 1) {
            callOnce(budget, device, fills.next().value);
          }
          expect(budget.isSettled).toBe(true);
          expect(budget.moves).toBeLessThanOrEqual(Math.abs(Math.log2(device.memory / firstBudget)) + 8);
        },
      ),
    );
  });

  test('ends, failures included, within 10 % of the best that memory allows', () => {
    fc.assert(
      fc.property(model, (device) => {
        const budget = budgetFor();
        callOften(budget, device, 600);
        let tokens = 0;
        let time = 0;
        for (let call = 0; call < 600; call += 1) {
          const size = budget.tokens;
          const fitted = callOnce(budget, device);
          if (fitted) tokens += size;
          time += device.perCall + (fitted ? device.perToken * size : 0);
        }
        expect(tokens / time).toBeGreaterThanOrEqual(0.9 * rate(device.memory, device));
      }),
    );
  });

  test('doubles from 4096 tokens while the rate gains 5 %, and holds the smallest within 5 % of the best', () => {
    const device = { perCall: 5, perToken: 0.0005, memory: Number.POSITIVE_INFINITY };
    const budget = budgetFor();
    const sizes = new Set<number>();
    while (!budget.isSettled) {
      sizes.add(budget.tokens);
      callOnce(budget, device);
    }
    expect([...sizes]).toEqual([4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144]);
    expect(budget.tokens).toBe(131_072);
  });

  test('never goes above what the backend states', () => {
    const device = { perCall: 1000, perToken: 0.0001, memory: Number.POSITIVE_INFINITY };
    const budget = budgetFor(50_000);
    callOften(budget, device, 500);
    expect(budget.tokens).toBe(50_000);
    expect(budgetFor(100).tokens).toBe(100);
  });

  test('goes by the median, so that a few slow calls mislead nobody', () => {
    const device = { perCall: 100, perToken: 0.0005, memory: Number.POSITIVE_INFINITY };
    const budget = budgetFor();
    for (let call = 0; call < 64; call += 1) {
      const isSlow = call % 8 < 3;
      budget.succeeded(budget.tokens, rate(budget.tokens, device) / (isSlow ? 50 : 1));
    }
    expect(budget.tokens).toBeGreaterThanOrEqual(2 ** 19);
  });

  test('learns nothing from calls that are half empty or that ran beside others', () => {
    const budget = budgetFor();
    for (let call = 0; call < 100; call += 1) {
      budget.succeeded(budget.tokens / 2, 1);
      budget.succeeded(budget.tokens, undefined);
    }
    expect(budget.moves).toBe(0);
  });
});

describe('a call that was too large', () => {
  test('halves the size and caps it at 0.8 of what failed', () => {
    const budget = budgetFor();
    budget.tooLarge(4096);
    expect(budget.tokens).toBe(2048);
    callOften(budget, { perCall: 100, perToken: 0.001, memory: 1e9 }, 16);
    expect(budget.tokens).toBeCloseTo(4096 * 0.8);
  });

  test('counts once when several of its size were in flight', () => {
    const budget = budgetFor();
    for (const size of [4096, 4000, 4090, 4096]) budget.tooLarge(size);
    expect(budget.tokens).toBe(2048);
    expect(budget.moves).toBe(1);
  });

  test('is forgiven when a single text turns out to be at fault', () => {
    const device = { perCall: 100, perToken: 0.001, memory: 1e9 };
    const budget = budgetFor();
    callOften(budget, device, 24);
    const before = budget.tokens;
    const forgive = budget.tooLarge(before);
    expect(budget.tokens).toBeLessThan(before);
    forgive();
    expect(budget.tokens).toBe(before);
  });

  test('is not forgiven when another failure has confirmed it', () => {
    const budget = budgetFor();
    const forgive = budget.tooLarge(4096);
    budget.tooLarge(2048);
    forgive();
    expect(budget.tokens).toBe(1024);
  });

  test('is grown out of when memory is free again', () => {
    const device = { perCall: 1000, perToken: 0.001, memory: 10_000 };
    const budget = budgetFor();
    callOften(budget, device, 300);
    expect(budget.tokens).toBeLessThanOrEqual(10_000);
    callOften(budget, { ...device, memory: 200_000 }, 2000);
    expect(budget.tokens).toBeGreaterThan(150_000);
  });

  test('happens ever more rarely on a device that stays the same', () => {
    const device = { perCall: 1000, perToken: 0.001, memory: 10_000 };
    const budget = budgetFor();
    let failures = 0;
    for (let call = 0; call < 20_000; call += 1) if (!callOnce(budget, device)) failures += 1;
    expect(failures).toBeLessThan(30);
  });
});

test('without a search holds what the backend states, and grows back to it after a failure', () => {
  const budget = budgetFor(1000, false);
  expect([budget.tokens, budget.isSettled]).toEqual([1000, true]);
  budget.tooLarge(800);
  expect(budget.tokens).toBe(400);
  callOften(budget, { perCall: 1, perToken: 1, memory: 1e9 }, 2000);
  expect(budget.tokens).toBe(1000);
});
