import { describe, expect, test } from 'vitest';
import { createSimulatedDevice, type SimulatedDevice } from '../../../test/simulated-device.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { QuarryError } from '../../core/errors.ts';
import { systemClock } from '../../platform/clock.ts';
import { type EmbedStreamOptions, embedStream } from './embed-stream.ts';
import { createThroughput } from './throughput.ts';

type Outcome = VectorOutcome<number>;

/** Texts of so many tokens each, owned by their place; says when the source is let go. */
function source(lengths: readonly number[]) {
  const state = { pulled: 0, isClosed: false };
  async function* read(): AsyncGenerator<TextToEmbed<number>> {
    try {
      for (const [owner, length] of lengths.entries()) {
        state.pulled += 1;
        yield { text: `${owner}`.padEnd(length * 4, 'x'), owner };
      }
    } finally {
      state.isClosed = true;
    }
  }
  return { texts: read(), state };
}

const same = (count: number, length: number): number[] => Array.from({ length: count }, () => length);
const ownersOf = (outcomes: readonly Outcome[]): number[] =>
  outcomes
    .flatMap((outcome) =>
      outcome.kind === 'vectors' ? outcome.entries.map(({ owner }) => owner) : outcome.owner,
    )
    .toSorted((one, other) => one - other);
const refusedIn = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome] : []));

/** Everything a stream emits, and what it threw in the end. */
async function tellAll(
  device: SimulatedDevice,
  texts: AsyncIterable<TextToEmbed<number>>,
  options: EmbedStreamOptions & { readonly embedder?: Embedder } = {},
): Promise<{ outcomes: Outcome[]; error: unknown }> {
  const outcomes: Outcome[] = [];
  try {
    const stream = embedStream(options.embedder ?? device, texts, { clock: device.clock, ...options });
    for await (const outcome of stream) outcomes.push(outcome);
  } catch (error) {
    return { outcomes, error };
  }
  return { outcomes, error: undefined };
}

describe('a stream', () => {
  test('gives every owner the vector of its text', async () => {
    const device = createSimulatedDevice({ limits: { concurrency: 3 } });
    const lengths = Array.from({ length: 500 }, (_, at) => (at * 37) % 90);
    const { outcomes } = await tellAll(device, source(lengths).texts);
    expect(ownersOf(outcomes)).toEqual([...lengths.keys()]);
    for (const outcome of outcomes) {
      for (const { owner, vector } of outcome.kind === 'vectors' ? outcome.entries : []) {
        expect(vector).toEqual(device.vectorOf(`${owner}`.padEnd((lengths[owner] ?? 0) * 4, 'x')));
      }
    }
    expect(device.maxInFlight).toBe(3);
  });

  test('runs on the time of the machine unless another clock is given', async () => {
    const device = createSimulatedDevice({ clock: systemClock, perCall: 0, perToken: 0 });
    const owners: Outcome[] = [];
    for await (const outcome of embedStream(device, source(same(3000, 40)).texts)) owners.push(outcome);
    expect(ownersOf(owners)).toHaveLength(3000);
  });

  test('of nothing emits nothing and loads no model', async () => {
    const device = createSimulatedDevice();
    const embedder = { ...device, load: () => Promise.reject(new Error('loaded')) };
    expect(await tellAll(device, source([]).texts, { embedder })).toEqual({ outcomes: [], error: undefined });
  });

  test('reads the limits after loading', async () => {
    const device = createSimulatedDevice({ limits: { gainsFromSize: false } });
    let batchTexts = 50;
    const embedder: Embedder = {
      ...device,
      get limits() {
        return { ...device.limits, batchTexts };
      },
      async load() {
        batchTexts = 2;
      },
    };
    await tellAll(device, source(same(10, 5)).texts, { embedder });
    expect(device.ended.map(({ texts }) => texts.length)).toEqual(same(5, 2));
  });

  test('throws what loading fails with, and lets the source go', async () => {
    const device = createSimulatedDevice();
    const gone = new QuarryError('model-not-found', 'No model.', 'Install it.');
    const { texts, state } = source(same(3, 5));
    const { error } = await tellAll(device, texts, {
      embedder: { ...device, load: () => Promise.reject(gone) },
    });
    expect(error).toBe(gone);
    expect(state.isClosed).toBe(true);
  });

  test('keeps within the texts, tokens and bytes of a call', async () => {
    const limits = { batchTexts: 9, batchTokens: 600, batchBytes: 1500, concurrency: 2 };
    const device = createSimulatedDevice({ limits });
    await tellAll(device, source(Array.from({ length: 300 }, (_, at) => at % 120)).texts);
    for (const { texts, tokens, bytes } of device.ended) {
      expect(texts.length).toBeLessThanOrEqual(9);
      expect(tokens).toBeLessThanOrEqual(600);
      expect(bytes).toBeLessThanOrEqual(1500);
    }
  });

  test('learns a size of calls that the next stream starts with', async () => {
    const device = createSimulatedDevice({ perCall: 50, perToken: 0.001, limits: { batchTexts: 1000 } });
    const throughput = createThroughput(device.clock);
    await tellAll(device, source(same(20_000, 40)).texts, { throughput });
    const calls = device.ended.length;
    await tellAll(device, source(same(2000, 40)).texts, { throughput });
    expect(device.ended[calls]?.tokens).toBeGreaterThan(20_000);
  });

  test('makes no more calls in a minute than the backend allows', async () => {
    const device = createSimulatedDevice({ limits: { batchTexts: 1, concurrency: 4, callsPerMinute: 30 } });
    await tellAll(device, source(same(70, 5)).texts);
    const starts = device.ended.map(({ at }) => at);
    for (const [at, start] of starts.entries()) {
      expect((starts[at + 30] ?? Number.POSITIVE_INFINITY) - start).toBeGreaterThanOrEqual(60_000 - 0.001);
    }
  });
});

describe('a backend that gains nothing from size', () => {
  const limits = { batchTexts: 4, concurrency: 2, gainsFromSize: false };

  test('gets its first batches before more has been read than they need', async () => {
    const device = createSimulatedDevice({ limits });
    const { texts, state } = source(same(10_000, 20));
    const stream = embedStream(device, texts, { clock: device.clock });
    await stream.next();
    expect(device.ended[0]?.at).toBe(0);
    expect(state.pulled).toBeLessThanOrEqual(16 * 4 * 2);
    await stream.return();
  });

  test('gets batches of the same small size throughout', async () => {
    const device = createSimulatedDevice({ limits });
    await tellAll(device, source(same(1000, 20)).texts);
    expect(new Set(device.ended.map(({ texts }) => texts.length))).toEqual(new Set([4]));
    expect(device.maxInFlight).toBe(2);
  });

  test('does not sit idle while a slow source makes a full batch', async () => {
    const device = createSimulatedDevice({ limits, perCall: 1, perToken: 0 });
    async function* slow(): AsyncGenerator<TextToEmbed<number>> {
      for (let owner = 0; owner < 6; owner += 1) {
        if (owner === 3) await device.clock.wait(10_000);
        yield { text: `${owner}`, owner };
      }
    }
    const { outcomes } = await tellAll(device, slow());
    expect(ownersOf(outcomes)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(device.ended[0]?.endedAt).toBeLessThan(100);
    expect(device.ended[0]?.texts).toHaveLength(3);
  });
});

describe('a text that cannot be embedded', () => {
  test('is found among the others and emitted with its error', async () => {
    const device = createSimulatedDevice({ refuses: (text) => /^(?:17|40)x/.test(text) });
    const { outcomes, error } = await tellAll(device, source(same(64, 9)).texts);
    expect(error).toBeUndefined();
    expect(ownersOf(outcomes)).toEqual([...same(64, 0).keys()]);
    expect(
      refusedIn(outcomes)
        .map((one) => [one.owner, one.error.code])
        .toSorted(),
    ).toEqual([
      [17, 'embedding-failed'],
      [40, 'embedding-failed'],
    ]);
    expect(device.ended.length).toBeLessThanOrEqual(2 * 2 * 6 + 1);
  });

  test('is refused when it alone is too large, and costs the others nothing', async () => {
    const device = createSimulatedDevice({ memoryTokens: 300, limits: { concurrency: 3 } });
    const { outcomes } = await tellAll(device, source([...same(50, 10), 400, ...same(50, 10)]).texts);
    expect(ownersOf(outcomes)).toEqual([...same(101, 0).keys()]);
    expect(refusedIn(outcomes)).toMatchObject([{ owner: 50, error: { code: 'embedding-too-large' } }]);
  });

  test('gets the backend for itself before it is refused as too large', async () => {
    const running = { calls: 0 };
    const device = createSimulatedDevice({
      lanes: 4,
      limits: { concurrency: 4, batchTexts: 1 },
      memoryTokens: ({ tokens }) => (tokens > 50 && running.calls > 1 ? 0 : 1000),
    });
    const embedder: Embedder = {
      ...device,
      async embed(texts, options) {
        running.calls += 1;
        return await device.embed(texts, options).finally(() => {
          running.calls -= 1;
        });
      },
    };
    const { outcomes } = await tellAll(device, source([...same(20, 10), 90, ...same(20, 10)]).texts, {
      embedder,
    });
    expect(refusedIn(outcomes)).toEqual([]);
    expect(ownersOf(outcomes)).toHaveLength(41);
  });
});

describe('a backend that cannot continue', () => {
  const gone = new QuarryError('provider-unreachable', 'No answer.', 'Check the address.');

  test('is reported after everything that was made, with no call left in flight', async () => {
    const device = createSimulatedDevice({
      lanes: 4,
      limits: { concurrency: 4, batchTexts: 5, gainsFromSize: false },
      fails: ({ number }) => (number === 9 ? gone : undefined),
    });
    const { texts, state } = source(same(500, 10));
    const { outcomes, error } = await tellAll(device, texts);
    expect(error).toBe(gone);
    const made = device.ended.filter((call) => !call.error).flatMap((call) => call.texts);
    expect(ownersOf(outcomes)).toHaveLength(made.length);
    expect(made.length).toBeGreaterThanOrEqual(25);
    expect([device.inFlight, state.isClosed]).toEqual([0, true]);
  });

  test.each([
    ['too few vectors', (vectors: Float32Array[]) => vectors.slice(1)],
    ['a vector of another length', (vectors: Float32Array[]) => [...vectors.slice(1), new Float32Array(5)]],
  ])('is one that answers with %s', async (_, spoil) => {
    const device = createSimulatedDevice();
    const embedder: Embedder = { ...device, embed: async (...given) => spoil(await device.embed(...given)) };
    const { outcomes, error } = await tellAll(device, source(same(10, 5)).texts, { embedder });
    expect(error).toMatchObject({ code: 'vector-invalid' });
    expect(outcomes).toEqual([]);
  });

  test('is also one that throws what nobody expected', async () => {
    const device = createSimulatedDevice();
    const embedder: Embedder = {
      ...device,
      embed() {
        throw new TypeError('not a function');
      },
    };
    const { error } = await tellAll(device, source(same(3, 5)).texts, { embedder });
    expect(error).toMatchObject({ code: 'internal', message: 'not a function' });
  });
});

describe('a stream that is stopped', () => {
  test('throws what its source throws', async () => {
    const device = createSimulatedDevice();
    async function* broken(): AsyncGenerator<TextToEmbed<number>> {
      yield { text: 'a', owner: 0 };
      throw new QuarryError('store-unusable', 'No store.', 'Repair it.');
    }
    expect((await tellAll(device, broken())).error).toMatchObject({ code: 'store-unusable' });
    expect(device.inFlight).toBe(0);
  });

  test('ends with interrupted at the moment of the signal, and so do its calls', async () => {
    const device = createSimulatedDevice({
      perCall: 1000,
      lanes: 3,
      limits: { concurrency: 3, batchTexts: 4 },
    });
    const controller = new AbortController();
    const { texts, state } = source(same(400, 10));
    void device.clock.wait(2500).then(() => controller.abort());
    const { outcomes, error } = await tellAll(device, texts, { signal: controller.signal });
    expect(error).toMatchObject({ code: 'interrupted' });
    expect(device.clock.now()).toBe(2500);
    expect(ownersOf(outcomes)).toHaveLength(3 * 4 * 2);
    expect([device.inFlight, state.isClosed]).toEqual([0, true]);
    expect(device.ended.slice(-3).map((call) => call.error?.code)).toEqual(
      same(3, 0).map(() => 'interrupted'),
    );
  });

  test('ends at once although its source or its model never answers', async () => {
    const device = createSimulatedDevice();
    const never = new Promise<never>(() => {});
    const stuck: AsyncIterable<TextToEmbed<number>> = {
      [Symbol.asyncIterator]: () => ({ next: () => never }),
    };
    async function* oneThenStuck(): AsyncGenerator<TextToEmbed<number>> {
      yield { text: 'a', owner: 0 };
      await never;
    }
    const loading = { ...device, load: () => never };
    for (const [texts, embedder] of [
      [stuck, device],
      [oneThenStuck(), device],
      [oneThenStuck(), loading],
    ] as const) {
      const controller = new AbortController();
      void device.clock.wait(100).then(() => controller.abort());
      const { error } = await tellAll(device, texts, { embedder, signal: controller.signal });
      expect(error).toMatchObject({ code: 'interrupted' });
    }
    const { error } = await tellAll(device, stuck, { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'interrupted' });
  });

  test('ends its calls and its source when nobody reads on', async () => {
    const device = createSimulatedDevice({ lanes: 3, limits: { concurrency: 3, batchTexts: 4 } });
    const { texts, state } = source(same(400, 10));
    for await (const outcome of embedStream(device, texts, { clock: device.clock })) {
      expect(outcome.kind).toBe('vectors');
      break;
    }
    expect([device.inFlight, state.isClosed]).toEqual([0, true]);
  });

  test('holds no more vectors than a few calls make while nobody takes them', async () => {
    const device = createSimulatedDevice({ lanes: 2, limits: { concurrency: 2, batchTexts: 4 } });
    const stream = embedStream(device, source(same(1000, 10)).texts, { clock: device.clock });
    await stream.next();
    await device.clock.wait(1_000_000);
    expect(device.ended.length).toBeLessThanOrEqual(2 * 2 + 2);
    await stream.return();
  });
});
