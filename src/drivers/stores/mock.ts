import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Store, StoreLocks } from '../../contracts/store.ts';

const options = z.strictObject({});

/** A store that takes everything and keeps nothing: what uses it runs, and finds nothing. */
export default defineDriver<Store, typeof options>({
  name: 'mock',
  summary: 'Keeps nothing: no file is read, and every search finds nothing.',
  options,
  requires: [],
  open: async () => nothing,
  locks: () => freeLocks,
});

/** Nobody can be in the way of a writer whose writes do nothing. */
const freeLocks: StoreLocks = { take: async () => ({ release: () => undefined }) };

const none = async (): Promise<never[]> => [];
const noneKept = async (): Promise<void> => undefined;
const unknown = async (): Promise<undefined> => undefined;

const nothing: Store = {
  put: async () => true,
  deletePaths: async () => 0,
  addVectors: noneKept,
  shareVectors: noneKept,
  missingVectors: none,
  keysWithVector: async () => new Set(),
  vectorsOf: none,
  dimensions: unknown,
  dropSpace: noneKept,
  spaces: none,
  searchVector: none,
  searchText: none,
  searchPattern: none,
  chunksOf: none,
  neighbours: none,
  documents: none,
  paths: none,
  isEmpty: async () => true,
  counts: async () => ({ documents: 0, chunks: 0, embedded: 0, bytes: 0 }),
  pending: async () => 0,
  manifest: none,
  putManifest: noneKept,
  fact: unknown,
  setFact: noneKept,
  facts: async () => new Map(),
  revision: async () => 0,
  close: noneKept,
};
