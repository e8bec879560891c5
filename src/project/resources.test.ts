import { expect, test } from 'vitest';
import { resourcesOf } from './resources.ts';
import { settingsSchema } from './settings.ts';

const gigabyte = 2 ** 30;
const of = (settings: object, cores: number, memoryBytes: number) =>
  resourcesOf(settingsSchema.parse(settings), { cores, memoryBytes });

test('a large machine is used with all its cores', () => {
  expect(of({}, 16, 64 * gigabyte)).toMatchObject({
    readingThreads: 16,
    modelThreads: 16,
    readerMegabytes: 512,
  });
});

test('a small container gets fewer threads with less memory each', () => {
  const { readingThreads, readerMegabytes, modelThreads } = of({}, 8, gigabyte);
  expect(modelThreads).toBeLessThan(8);
  expect(readingThreads * readerMegabytes + Math.min(4, modelThreads) * 80).toBeLessThanOrEqual(512);
});

test('however little there is, one of each works', () => {
  expect(of({ resources: { memory_mb: 128 } }, 4, gigabyte)).toMatchObject({
    readingThreads: 1,
    modelThreads: 1,
  });
});

test('what the user says counts', () => {
  const said = { resources: { threads: 3, memory_mb: 4096 } };
  expect(of(said, 16, 64 * gigabyte)).toMatchObject({ readingThreads: 3, modelThreads: 3 });
  const both = { ...said, index: { threads: 1 }, embedder: { threads: 2 } };
  expect(of(both, 16, 64 * gigabyte)).toMatchObject({ readingThreads: 1, modelThreads: 2 });
});
