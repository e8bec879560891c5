import { expect, test } from 'vitest';
import { createSimulatedDevice } from '../../test/simulated-device.ts';
import type { Embedder } from '../contracts/embedder.ts';
import { QuarryError } from '../core/errors.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import { retrying } from './retrying.ts';

const asChunk = { as: 'chunk' } as const;
const busy = (retryAfter?: number) =>
  new QuarryError('provider-limited', 'Too many.', 'Wait.', { retryAfter });
const away = () => new QuarryError('provider-unreachable', 'No answer.', 'Check the address.');

function failingTimes(times: number, error: () => QuarryError) {
  return createSimulatedDevice({
    perCall: 0,
    perToken: 0,
    fails: ({ number }) => (number < times ? error() : undefined),
  });
}

test('repeats a call that may pass, waiting twice as long each time', async () => {
  const device = failingTimes(3, away);
  const embedder = retrying(device, { clock: device.clock, random: () => 1 });
  expect(await embedder.embed(['a'], asChunk)).toEqual([device.vectorOf('a')]);
  expect(device.ended.map(({ at }) => at)).toEqual([0, 500, 1500, 3500]);
});

test('draws each pause from the upper half of its span', async () => {
  const device = failingTimes(2, away);
  await retrying(device, { clock: device.clock, random: () => 0 }).embed(['a'], asChunk);
  expect(device.ended.map(({ at }) => at)).toEqual([0, 250, 750]);
});

test('waits as long as the other side asks for', async () => {
  const device = failingTimes(1, () => busy(90_000));
  await retrying(device, { clock: device.clock }).embed(['a'], asChunk);
  expect(device.ended[1]?.at).toBe(90_000);
});

test('waits no longer than a minute on its own account', async () => {
  const device = failingTimes(12, busy);
  const patient = { attempts: 20, patience: 10_000_000, random: () => 1 };
  await retrying(device, { ...patient, clock: device.clock }).embed(['a'], asChunk);
  const starts = device.ended.map(({ at }) => at);
  expect(Math.max(...starts.slice(1).map((at, index) => at - (starts[index] ?? 0)))).toBe(60_000);
});

test('gives up after so many attempts with the error of the last', async () => {
  const device = failingTimes(99, busy);
  const embedder = retrying(device, { attempts: 3, clock: device.clock });
  await expect(embedder.embed(['a'], asChunk)).rejects.toMatchObject({ code: 'provider-limited' });
  expect(device.ended).toHaveLength(3);
});

test('gives up at once when the pause would be longer than its patience', async () => {
  const device = failingTimes(99, () => busy(3_600_000));
  const embedder = retrying(device, { patience: 60_000, clock: device.clock });
  await expect(embedder.embed(['a'], asChunk)).rejects.toMatchObject({ code: 'provider-limited' });
  expect(device.ended).toHaveLength(1);
  expect(device.clock.now()).toBe(0);
});

test('passes every other failure through at once', async () => {
  const codes = [
    'embedding-too-large',
    'embedding-failed',
    'provider-key',
    'provider-refused',
    'internal',
  ] as const;
  for (const code of codes) {
    const error = new QuarryError(code, 'No.', 'Do not.');
    const device = failingTimes(99, () => error);
    await expect(retrying(device, { clock: device.clock }).embed(['a'], asChunk)).rejects.toBe(error);
    expect(device.ended).toHaveLength(1);
  }
});

test('stops waiting when the call is aborted', async () => {
  const device = failingTimes(99, () => busy(60_000));
  const controller = new AbortController();
  const embedder = retrying(device, { clock: device.clock });
  const call = embedder.embed(['a'], { ...asChunk, signal: controller.signal });
  void device.clock.wait(100).then(() => controller.abort());
  await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  expect(device.clock.now()).toBe(100);
});

test('makes no call where the signal is aborted already, nor after it was closed', async () => {
  const device = createSimulatedDevice();
  const embedder = retrying(device, { clock: device.clock });
  const aborted = { ...asChunk, signal: AbortSignal.abort() };
  await expect(embedder.embed(['a'], aborted)).rejects.toMatchObject({ code: 'interrupted' });
  await embedder.close();
  await expect(embedder.embed(['a'], asChunk)).rejects.toMatchObject({ code: 'interrupted' });
  expect(device.ended).toEqual([]);
});

test('stops waiting when it is closed, and closes the embedder', async () => {
  const device = failingTimes(99, () => busy(60_000));
  const embedder = retrying(device, { clock: device.clock });
  const call = embedder.embed(['a'], asChunk);
  void device.clock.wait(100).then(() => embedder.close());
  await expect(call).rejects.toMatchObject({ code: 'interrupted' });
  expect(device.isClosed).toBe(true);
});

test('repeats loading, and shows what the embedder knows from then on', async () => {
  const device = createSimulatedDevice();
  let loads = 0;
  const changing: Embedder = {
    ...device,
    get dimensions() {
      return loads > 1 ? 768 : undefined;
    },
    get limits() {
      return { ...device.limits, batchTexts: loads > 1 ? 7 : 1 };
    },
    get facts() {
      return { loads: String(loads) };
    },
    async load() {
      loads += 1;
      if (loads === 1) throw away();
    },
  };
  const embedder = retrying(changing, { clock: device.clock });
  expect([embedder.dimensions, embedder.limits.batchTexts]).toEqual([undefined, 1]);
  await embedder.load?.();
  expect([embedder.dimensions, embedder.limits.batchTexts, embedder.facts]).toEqual([768, 7, { loads: '2' }]);
  expect([embedder.fingerprint, embedder.maxTokens, embedder.countTokens('abcdefgh')]).toEqual([
    device.fingerprint,
    device.maxTokens,
    2,
  ]);
});

test('has no load where the embedder has none', () => {
  expect('load' in retrying(createSimulatedDevice())).toBe(false);
});

test('wrappers pass every fact of an embedder on', async () => {
  const embedder = { ...createHashingEmbedder(), denseWeight: 0.3, load: async () => {} };
  const { withFallback } = await import('./with-fallback.ts');
  const { withDeadline } = await import('./with-deadline.ts');
  const { withConsent } = await import('./with-consent.ts');
  for (const wrapped of [
    retrying(embedder),
    withFallback(embedder, async () => embedder),
    withDeadline(embedder, 1000),
    withConsent(embedder, async () => {}),
  ]) {
    const { fingerprint, dimensions, maxTokens, limits, facts, denseWeight } = embedder;
    expect(wrapped).toMatchObject({ fingerprint, dimensions, maxTokens, limits, facts, denseWeight });
    expect(wrapped.load).toBeDefined();
    expect(wrapped.countTokens('two words')).toBe(2);
  }
});
