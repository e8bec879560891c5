import { beforeAll, describe, expect, test } from 'vitest';
import { documentRecord } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import driver from './driver.ts';
import { noServer, sharedPostgres, type TestDatabase } from './server.fixture.ts';

let server: TestDatabase;
let collections = 0;
beforeAll(async () => {
  if (noServer === undefined) server = await sharedPostgres();
});

const context = (index = 'index-1') => driverContext({ stateFolder: `/nowhere/${index}` });
const options = (collection: string) => ({ url: server.url, api_key: server.password, collection });
const checks = [
  ...storeConformance,
  ...storeCapabilityConformance.patternSearch,
  ...storeCapabilityConformance.searchPreparing,
  ...storeCapabilityConformance.vectorReading,
];

describe.skipIf(noServer !== undefined)(`a store in PostgreSQL${noServer ? ` (${noServer})` : ''}`, () => {
  for (const promise of checks) {
    test(promise.promise, async () => {
      collections += 1;
      const collection = `check-${collections}`;
      await checkStore(promise, () => driver.open(options(collection), context()));
    });
  }

  test('keeps one list of indexes for all machines', async () => {
    const indexes = driver.indexes?.(options('listed'), context());
    expect(await indexes?.current()).toBeUndefined();
    for (const name of ['index-2', 'index-10', 'index-9']) {
      const store = await driver.open(options('listed'), context(name));
      await store.put(documentRecord('a.md'), []);
      await store.close();
    }
    const elsewhere = driver.indexes?.(options('listed'), context());
    expect(await elsewhere?.names()).toEqual(['index-2', 'index-9', 'index-10']);
    await indexes?.switchTo('index-2');
    expect(await elsewhere?.current()).toBe('index-2');
    await elsewhere?.remove(['index-2']);
    expect(await indexes?.current()).toBeUndefined();
    const again = await driver.open(options('listed'), context('index-2'));
    expect((await again.state()).isEmpty).toBe(true);
    await again.close();
  });
});
