import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Store } from '../../contracts/store.ts';
import { type KeptLease, timedLease } from './leases.ts';

const options = z.strictObject({});

/** A store in memory that forgets everything when it is closed. */
export default defineDriver<Store, typeof options>({
  name: 'memory',
  summary:
    'Keeps the index in memory until the project is closed, and nothing on disk; for tests and trials.',
  options,
  requires: [],
  open: async () => (await import('./memory/store.ts')).openMemoryStore(),
  lease: async (_, { stateFolder }, name) => memoryLease(`${stateFolder}\n${name}`),
});

/** By folder and name: nobody else sees what is kept in the memory of this process. */
const leases = new Map<string, KeptLease>();

function memoryLease(key: string) {
  const record = timedLease(
    () => leases.get(key),
    (lease) => leases.set(key, lease),
  );
  return { ...record, maxPause: 100 };
}
