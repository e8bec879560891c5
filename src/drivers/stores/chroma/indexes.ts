import type { DriverContext } from '../../../contracts/driver.ts';
import type { StoreIndexes } from '../../../contracts/store.ts';
import { collectionNames } from './collection.ts';
import { collectionName, removeIndex } from './layout.ts';
import type { Location } from './location.ts';
import { openRecords } from './records.ts';
import { chromaServer } from './server.ts';

const currentKey = 'current';

/** The collections of a project that are indexes, and a record of the one that answers. */
export function chromaIndexes(location: Location, context: DriverContext): StoreIndexes {
  const records = openRecords(location, context);
  const server = chromaServer(location, context);
  return {
    current: async () => (await records.read(currentKey)) || undefined,
    async names() {
      const prefix = collectionName(location, '');
      const names = await collectionNames(server, prefix);
      return names
        .map((name) => name.slice(prefix.length))
        .filter((name) => /^index-\d+$/.test(name))
        .sort((one, other) => Number(one.slice(6)) - Number(other.slice(6)));
    },
    switchTo: (name) => records.write(currentKey, name),
    async remove(names) {
      for (const name of names) await removeIndex(server, location, name);
    },
  };
}
