import { join } from 'node:path';
import { test } from 'vitest';
import type { Store } from '../../../contracts/store.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import driver from './driver.ts';

const { searchPreparing, vectorReading } = storeCapabilityConformance;

for (const { promise, check } of [...storeConformance, ...searchPreparing, ...vectorReading]) {
  test(promise, { timeout: 120_000 }, async () => {
    const folder = await temporaryFolder();
    const handles: Store[] = [];
    try {
      await check(async () => {
        const store = await driver.open({}, driverContext({ stateFolder: join(folder, 'index-1') }));
        handles.push(store);
        return store;
      });
    } finally {
      for (const handle of handles) await handle.close();
    }
  });
}
