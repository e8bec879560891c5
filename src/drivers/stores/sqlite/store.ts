import { existsSync } from 'node:fs';
import type { DriverContext } from '../../../contracts/driver.ts';
import type { Store, StoreCapabilities } from '../../../contracts/store.ts';
import { once } from '../../../platform/once.ts';
import { applyChanges } from './documents/changes.ts';
import { findChunks, listDocuments, listPaths } from './documents/documents.ts';
import { IndexStates } from './documents/index-states.ts';
import { Connection, type ConnectionOptions } from './file/connection.ts';
import { graphLockPath } from './graph/file.ts';
import { searchPattern } from './text/pattern.ts';
import { searchText } from './text/text-index.ts';
import { Upkeep } from './upkeep.ts';
import { countVectors, findKeyedChunks, findKeysPassing } from './vectors/keyed-chunks.ts';
import { exactBytes, findKeysWithVector, findMissingVectors, findVectors } from './vectors/vectors.ts';

/** A store that offers every capability. */
export type SqliteStore = Store & StoreCapabilities;

const fileSize = 'SELECT page_count * page_size AS value FROM pragma_page_count, pragma_page_size';

/** Opens the index file, and makes it where there is none. Each method is a step that happens as a whole, and sees the file in one state. */
export function openSqliteStore(
  path: string,
  options: ConnectionOptions = {},
  resources?: DriverContext['resources'],
): SqliteStore {
  const file = new Connection(path, options);
  const upkeep = new Upkeep(file);
  const states = new IndexStates(file);
  // Many processes never search by vector: they look for changes, or for words.
  const nearest = once(
    async () => (await import('./vectors/nearest.ts')).openNearestSearch(file, resources),
    (search) => search.close(),
  );
  const bytes = () => file.read(() => Number(file.get(fileSize)?.value));
  const shared = once(
    async () => (await import('./sharing/shared-searches.ts')).sharedSearches,
    (searches) => searches.release(file),
  );
  const shut = async (): Promise<void> => {
    await shared.close();
    await nearest.close();
    await upkeep.finish();
    await file.settle();
    file.close();
  };
  let closing: Promise<void> | undefined;
  return {
    isInPlace: () => file.isInPlace(),
    async commit(changes) {
      const { committed, hasRemoved } = await file.write(() => applyChanges(file, changes));
      if (hasRemoved || changes.documents) await upkeep.afterChange({ hasRemoved });
      return committed;
    },
    missingVectors: (space, limit, after = 0) =>
      file.read(() => findMissingVectors(file, space, limit, after)),
    keysWithVector: (space, keys) => file.read(() => findKeysWithVector(file, space, keys)),
    vectorsOf: (space, keys) => file.read(() => findVectors(file, space, keys)),
    async searchVector(space, vector, bounds) {
      const search = await nearest();
      return (await shared()).run(file, { space, vector, bounds }, () =>
        search.search(space, vector, bounds),
      );
    },
    async *prepareSearch(space, { signal } = {}) {
      await upkeep.afterMany(signal);
      // No space of a small file is large enough for a graph; who made one has left its lock.
      if ((await bytes()) <= exactBytes && !existsSync(graphLockPath(path))) return;
      yield* (await nearest()).prepare(space, signal);
    },
    chunksWithKeys: (keys, filter) => file.read(() => findKeyedChunks(file, keys, filter)),
    keysPassing: (filter, limit) => file.read(() => findKeysPassing(file, filter, limit)),
    countVectors: (space) => file.read(() => countVectors(file, space)),
    async searchText(words, bounds) {
      return (await shared()).run(file, { words, bounds }, () => searchText(file, words, bounds));
    },
    searchPattern: (pattern, bounds) => searchPattern(file, pattern, bounds),
    chunksIn: (ranges) => file.read(() => ranges.map((range) => findChunks(file, range))),
    documents: (filter) => file.read(() => listDocuments(file, filter)),
    paths: () => file.read(() => listPaths(file)),
    manifest: () => file.read(() => states.manifest()),
    state: () => file.read(() => states.state()),
    bytes,
    async *checkStructure({ signal } = {}) {
      yield* (await import('./soundness/check-structure.ts')).checkStructure(file, signal);
    },
    close() {
      closing ??= shut();
      return closing;
    },
  };
}
