import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { storeCapabilityConformance, storeConformance } from '../../../testing/store-conformance.ts';
import { checkStore } from '../check-store.fixture.ts';
import { openSqliteStore } from './store.ts';

const checks = [...storeConformance, ...Object.values(storeCapabilityConformance).flat()];

for (const promise of checks) {
  test(promise.promise, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-store-'));
    try {
      await checkStore(promise, () => openSqliteStore(join(folder, 'index.sqlite')));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
