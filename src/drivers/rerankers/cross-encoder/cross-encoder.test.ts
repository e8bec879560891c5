import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { ChunkScore, Reranker } from '../../../contracts/reranker.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { rerankerConformance } from '../../../testing/reranker-conformance.ts';
import driver from './driver.ts';
import { tinyCrossEncoder } from './tiny-cross-encoder.fixture.ts';

const open = (model: string, options: object = {}, threads = 2) =>
  driver.open(
    driver.options.parse({ model, ...options }),
    driverContext({ resources: { memoryBytes: 2 ** 30, threads } }),
  );

async function scores(reranker: Reranker, query: string, ...chunks: string[]): Promise<number[]> {
  const all: ChunkScore[] = [];
  const { signal } = new AbortController();
  for await (const batch of reranker.score(query, chunks, { budgetMs: 60_000, signal })) all.push(...batch);
  return all.sort((a, b) => a.index - b.index).map(({ score }) => score);
}
const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

const tiny = tinyCrossEncoder();

describe('keeps the contract:', () => {
  for (const { promise, check } of rerankerConformance) {
    test(promise, async () => {
      const model = await tiny;
      await check(() => open(model));
    });
  }
});

describe('scores', () => {
  test('are the sigmoid of what the model says of query and chunk together', async () => {
    const reranker = await open(await tiny);
    const found = await scores(
      reranker,
      'replace document',
      'document',
      'garden',
      'replace document replace',
    );
    [1, 0, 3].forEach((shared, index) => {
      expect(found[index]).toBeCloseTo(sigmoid(shared - 2), 5);
    });
  });

  test('see the beginning of a chunk that is longer than the window', async () => {
    const reranker = await open(await tiny);
    const filler = 'garden '.repeat(100);
    const [early = 0, late = 0] = await scores(reranker, 'zebra', `zebra ${filler}`, `${filler} zebra`);
    expect(early).toBeCloseTo(sigmoid(-1), 5);
    expect(late).toBeCloseTo(sigmoid(-2), 5);
  });

  test('leave room for the chunk beside a query that is longer than the window', async () => {
    const reranker = await open(await tiny);
    const [score = 0] = await scores(reranker, 'garden '.repeat(100), 'garden');
    expect(score).toBeGreaterThan(0.99);
  });

  test('do not depend on the number of threads', async () => {
    const model = await tiny;
    const chunks = Array.from({ length: 12 }, (_, index) => `document ${'store '.repeat(index)}`);
    const one = await scores(await open(model, {}, 1), 'store', ...chunks);
    expect(await scores(await open(model, {}, 4), 'store', ...chunks)).toEqual(one);
  });
});

describe('opening', () => {
  test('states the model, its hash and its threads', async () => {
    const { facts } = await open(await tiny);
    expect(facts).toMatchObject({
      weights: expect.stringMatching(/SHA-256 [0-9a-f]{12}…/),
      device: 'cpu, up to 2 x 1 threads',
    });
  });

  test('refuses a bare name, for none can be added by name', async () => {
    await expect(open('ms-marco')).rejects.toMatchObject({
      code: 'model-not-found',
      remedy: expect.stringContaining('./ms-marco'),
    });
  });

  test('refuses a folder without weights', async () => {
    const folder = await temporaryFolder({ 'tokenizer.json': '{}' });
    await expect(open(folder)).rejects.toMatchObject({ code: 'model-not-found' });
  });
});

describe('a model that cannot be used', () => {
  test('says that weights are no model', async () => {
    const folder = await tinyCrossEncoder({ weights: Buffer.from('not a model') });
    await expect(scores(await open(folder), 'a', 'b')).rejects.toMatchObject({ code: 'model-not-found' });
  });

  test('says that it gives more than one number for a pair', async () => {
    const folder = await tinyCrossEncoder({ labels: 3 });
    await expect(scores(await open(folder), 'a', 'b')).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('gives 3 numbers'),
    });
  });

  test('is tried again after a failure, when its cause is gone', async () => {
    const broken = await open(await tinyCrossEncoder({ weights: Buffer.from('not a model') }));
    await expect(scores(broken, 'a', 'b')).rejects.toMatchObject({ code: 'model-not-found' });
    expect(await scores(await open(await tiny), 'store', 'store')).toHaveLength(1);
  });
});
