import { expect, test } from 'vitest';
import { documentRecord } from '../../testing/documents.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { storeConformance } from '../../testing/store-conformance.ts';
import { StoreMemory } from './memory/memory.ts';
import driver, { openMemoryStore } from './memory.ts';

for (const { promise, check } of storeConformance) {
  test(promise, async () => {
    const memory = new StoreMemory();
    await check(async () => openMemoryStore(memory));
  });
}

test('keeps nothing once it is closed', async () => {
  const context = driverContext({ stateFolder: '/nowhere' });
  const store = await driver.open({}, context);
  await store.put(documentRecord('a.md'), []);
  await store.close();
  expect((await (await driver.open({}, context)).state()).isEmpty).toBe(true);
});

test('keeps writers of one folder apart by locks of its own, and lets the next one in', async () => {
  const locks = (stateFolder: string) => driver.locks?.({}, driverContext({ stateFolder }));
  const [one, same, other] = [locks('/one'), locks('/one'), locks('/other')];
  const lock = await one?.take('writer');
  expect(await same?.take('writer')).toBeUndefined();
  expect(await same?.take('vectors')).toBeDefined();
  expect(await other?.take('writer')).toBeDefined();
  const waiting = same?.take('writer', { wait: true });
  const stop = new AbortController();
  const stopped = same?.take('writer', { wait: true, signal: stop.signal });
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
  lock?.release();
  expect(await waiting).toBeDefined();
});
