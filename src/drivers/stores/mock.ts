import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { LeaseRecord } from '../../contracts/leases.ts';
import type { Store } from '../../contracts/store.ts';

const options = z.strictObject({});

/** A store that takes everything and keeps nothing: what uses it runs, and finds nothing. */
export default defineDriver<Store, typeof options>({
  name: 'mock',
  summary: 'Keeps nothing: no file is read, and every search finds nothing.',
  options,
  requires: [],
  open: async () => nothing,
  lease: async () => freeLease,
});

/** Nobody can be in the way of a writer whose writes do nothing. */
const freeLease: LeaseRecord = {
  read: async () => undefined,
  replace: async () => true,
  close: async () => {},
};

const none = async (): Promise<never[]> => [];

const nothing: Store = {
  commit: async ({ documents = [] }) => ({ removed: 0, stored: documents.map(() => true) }),
  missingVectors: none,
  keysWithVector: async () => new Set(),
  vectorsOf: none,
  searchVector: none,
  searchText: none,
  searchPattern: none,
  chunksIn: async (ranges) => ranges.map(() => []),
  documents: none,
  paths: none,
  manifest: none,
  state: async () => ({ revision: 0, isEmpty: true, chunks: 0, spaces: new Map(), facts: new Map() }),
  bytes: async () => 0,
  close: async () => undefined,
};
