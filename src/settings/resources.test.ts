import { expect, test } from 'vitest';
import { resourcesOf } from './resources.ts';
import { settingsSchema } from './settings.ts';

const gigabyte = 2 ** 30;
const of = (settings: object, cores: number, memoryBytes: number) =>
  resourcesOf(settingsSchema.parse(settings), { cores, memoryBytes });

test('a large machine is used with all its cores, but for readers that would wait for the model', () => {
  expect(of({}, 16, 64 * gigabyte)).toMatchObject({
    readingThreads: 8,
    modelThreads: 16,
    readerMegabytes: 768,
  });
});

test('a small container gets fewer threads with less memory each', () => {
  const { readingThreads, readerMegabytes, modelThreads } = of({}, 8, gigabyte);
  expect(modelThreads).toBeLessThan(8);
  expect(readingThreads * readerMegabytes + Math.min(4, modelThreads) * 100).toBeLessThanOrEqual(512);
});

test('the less memory is allowed, the less of everything there is', () => {
  const limits = [4096, 1024, 700, 512, 400, 256];
  const given = limits.map((memory_mb) => of({ resources: { memory_mb } }, 16, 64 * gigabyte));
  for (const part of ['readingThreads', 'modelThreads', 'bytesAtOnce'] as const) {
    const amounts = given.map((resources) => resources[part]);
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    expect(amounts.at(-1)).toBeLessThan(amounts[0] ?? 0);
  }
});

test('where there is room for all copies of the model, further threads are not held back', () => {
  expect(of({ resources: { memory_mb: 1024 } }, 16, 64 * gigabyte)).toMatchObject({ modelThreads: 16 });
});

test('however little there is, one of each works', () => {
  expect(of({ resources: { memory_mb: 128 } }, 4, gigabyte)).toMatchObject({
    readingThreads: 1,
    modelThreads: 1,
  });
});

test('a first look leaves a core to the process that stores what is read', () => {
  const looking = (cores: number) => of({}, cores, 64 * gigabyte).lookingThreads;
  expect([1, 2, 3, 4, 16].map(looking)).toEqual([1, 1, 2, 3, 8]);
  expect(of({ resources: { memory_mb: 128 } }, 16, 64 * gigabyte).lookingThreads).toBe(1);
});

test('what the user says counts', () => {
  const said = { resources: { threads: 3, memory_mb: 4096 } };
  expect(of(said, 16, 64 * gigabyte)).toMatchObject({ readingThreads: 3, modelThreads: 3 });
  const many = { resources: { threads: 12 } };
  expect(of(many, 16, 64 * gigabyte)).toMatchObject({ readingThreads: 8, modelThreads: 12 });
});
