import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchSize } from './batch-size.ts';

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

function sizeFor({ limit = Number.POSITIVE_INFINITY, searches = true, concurrency = 1 } = {}): BatchSize {
  const size = new BatchSize();
  size.aim({ limit, searches, concurrency });
  return size;
}

/** Makes a call that fills the given share of the size; true when it fitted. */
function callOnce(size: BatchSize, device: Model, fill = 1): boolean {
  const tokens = size.tokens * fill;
  if (tokens > device.memory) size.tooLarge(tokens);
  else size.succeeded(tokens, rate(tokens, device));
  return tokens <= device.memory;
}

function callOften(size: BatchSize, device: Model, calls: number): void {
  for (let call = 0; call < calls; call += 1) callOnce(size, device);
}

describe('the search', () => {
  test('comes to an end soon, however full the calls are', () => {
    fc.assert(
      fc.property(
        model,
        fc.infiniteStream(fc.double({ min: 0.51, max: 1, noNaN: true })),
        (device, fills) => {
          const size = sizeFor();
          let calls = 0;
          while (!size.isSettled && calls < 1000) {
            callOnce(size, device, fills.next().value);
            calls += 1;
          }
          expect(calls).toBeLessThan(250);
        },
      ),
    );
  });

  test('ends, failures included, within 10 % of the best that memory allows', () => {
    fc.assert(
      fc.property(model, (device) => {
        const size = sizeFor();
        callOften(size, device, 600);
        let tokens = 0;
        let time = 0;
        for (let call = 0; call < 600; call += 1) {
          const sent = size.tokens;
          const fitted = callOnce(size, device);
          if (fitted) tokens += sent;
          time += device.perCall + (fitted ? device.perToken * sent : 0);
        }
        expect(tokens / time).toBeGreaterThanOrEqual(0.9 * rate(device.memory, device));
      }),
    );
  });

  test('doubles from 4096 tokens while the rate gains 5 %, and holds the smallest within 5 % of the best', () => {
    const device = { perCall: 5, perToken: 0.0005, memory: Number.POSITIVE_INFINITY };
    const size = sizeFor();
    const sizes = new Set<number>();
    while (!size.isSettled) {
      sizes.add(size.tokens);
      callOnce(size, device);
    }
    expect([...sizes]).toEqual([4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144]);
    expect(size.tokens).toBe(131_072);
  });

  test('never goes above what the backend states', () => {
    const device = { perCall: 1000, perToken: 0.0001, memory: Number.POSITIVE_INFINITY };
    const size = sizeFor({ limit: 50_000 });
    callOften(size, device, 500);
    expect(size.tokens).toBe(50_000);
    expect(sizeFor({ limit: 100 }).tokens).toBe(100);
  });

  test('goes by the median, so that a few slow calls mislead nobody', () => {
    const device = { perCall: 100, perToken: 0.0005, memory: Number.POSITIVE_INFINITY };
    const size = sizeFor();
    for (let call = 0; call < 64; call += 1) {
      const isSlow = call % 8 < 3;
      size.succeeded(size.tokens, rate(size.tokens, device) / (isSlow ? 50 : 1));
    }
    expect(size.tokens).toBeGreaterThanOrEqual(2 ** 19);
  });

  test('learns nothing from calls that are half empty, that say nothing, or that ran beside those of another size', () => {
    const size = sizeFor({ concurrency: 3 });
    for (let call = 0; call < 100; call += 1) {
      size.succeeded(size.tokens / 2, 1);
      size.succeeded(size.tokens, undefined);
    }
    expect(size.tokens).toBe(4096);
    for (let call = 0; call < 8; call += 1) size.succeeded(4096, 1);
    expect(size.tokens).toBe(8192);
    // The first two still ran beside calls of the previous size.
    for (const sample of [9, 9, ...Array<number>(7).fill(1)]) size.succeeded(8192, sample);
    expect(size.tokens).toBe(8192);
    size.succeeded(8192, 1);
    expect([size.tokens, size.isSettled]).toEqual([4096, true]);
  });
});

describe('a call that was too large', () => {
  test('halves the size, and then the distance between what went well and what failed', () => {
    const size = sizeFor();
    size.tooLarge(4096);
    const sizes = new Set<number>();
    while (!size.isSettled) {
      sizes.add(size.tokens);
      callOnce(size, { perCall: 100, perToken: 0.001, memory: 1e9 });
    }
    expect([...sizes]).toEqual([2048, 3072, 3584, 3840]);
  });

  test('counts once when several of its size were in flight', () => {
    const size = sizeFor();
    for (const sent of [4096, 4000, 4090, 4096]) size.tooLarge(sent);
    expect(size.tokens).toBe(2048);
  });

  test('is grown out of when memory is free again', () => {
    const device = { perCall: 1000, perToken: 0.001, memory: 10_000 };
    const size = sizeFor();
    callOften(size, device, 300);
    expect(size.tokens).toBeLessThanOrEqual(10_000);
    callOften(size, { ...device, memory: 200_000 }, 2000);
    expect(size.tokens).toBeGreaterThan(150_000);
  });

  test('happens ever more rarely on a device that stays the same', () => {
    const device = { perCall: 1000, perToken: 0.001, memory: 10_000 };
    const size = sizeFor();
    let failures = 0;
    for (let call = 0; call < 20_000; call += 1) if (!callOnce(size, device)) failures += 1;
    expect(failures).toBeLessThan(30);
  });
});

test('without a search holds what the backend states, and grows back to it after a failure', () => {
  const size = sizeFor({ limit: 1000, searches: false });
  expect([size.tokens, size.isSettled]).toEqual([1000, true]);
  size.tooLarge(800);
  expect(size.tokens).toBe(400);
  callOften(size, { perCall: 1, perToken: 1, memory: 1e9 }, 2000);
  expect(size.tokens).toBe(1000);
});
