import { expect, test } from 'vitest';
import { documentRecord } from '../../testing/documents.ts';
import { driverContext } from '../../testing/driver-context.ts';
import { storeConformance } from '../../testing/store-conformance.ts';
import { MockMemory } from './mock/memory.ts';
import driver, { openMockStore } from './mock.ts';

for (const { promise, check } of storeConformance) {
  test(promise, async () => {
    const memory = new MockMemory();
    await check(async () => openMockStore(memory));
  });
}

test('keeps nothing once it is closed', async () => {
  const context = driverContext({ stateFolder: '/nowhere' });
  const store = await driver.open({}, context);
  await store.put(documentRecord('a.md'), []);
  await store.close();
  expect(await (await driver.open({}, context)).isEmpty()).toBe(true);
});
