import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import type { Store } from '../../../contracts/store.ts';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { openSqliteStore } from './store.ts';

const checks = [...storeConformance, ...Object.values(storeCapabilityConformance).flat()];

for (const { promise, check } of checks) {
  test(promise, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-store-'));
    const handles: Store[] = [];
    try {
      await check(async () => {
        const store = openSqliteStore(join(folder, 'index.sqlite'));
        handles.push(store);
        return store;
      });
    } finally {
      for (const handle of handles) await handle.close();
      await rm(folder, { recursive: true });
    }
  });
}
