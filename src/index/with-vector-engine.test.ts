import { join } from 'node:path';
import { describe, test } from 'vitest';
import { sample } from '../../test/samples.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { checkStore } from '../drivers/stores/check-store.fixture.ts';
import { openSqliteStore } from '../drivers/stores/sqlite/store.ts';
import { storeCapabilityConformance, storeConformance } from '../testing/store-conformance.ts';
import { vectorEngineConformance } from '../testing/vector-engine-conformance.ts';
import { type EngineMemory, memoryEngine } from './memory-engine.fixture.ts';
import { withVectorEngine } from './with-vector-engine.ts';

describe('an engine in memory', () => {
  for (const { promise, check } of vectorEngineConformance)
    test(promise, () => check(memoryEngine(), 'check'));
});

describe('an index with an engine beside it', () => {
  const { keyedChunks: _, ...capabilities } = storeCapabilityConformance;
  for (const promise of sample(4, [...storeConformance, ...Object.values(capabilities).flat()], 3))
    test(promise.promise, async () => {
      const folder = await temporaryFolder();
      const memory: EngineMemory = new Map();
      await checkStore(promise, () =>
        withVectorEngine(openSqliteStore(join(folder, 'text.sqlite')), memoryEngine(memory), folder),
      );
    });
});
