import type { DriverContext } from '../../../contracts/driver.ts';
import type { StoreIndexes } from '../../../contracts/store.ts';
import { once } from '../../../platform/once.ts';
import { isGone, lanceFailure } from './failures.ts';
import { type Location, tableName } from './location.ts';
import { loadLance } from './package.ts';
import { openRecords } from './records.ts';
import { connectTo } from './table.ts';

const currentKey = 'current';
const namesAtOnce = 100;
const indexName = /^index-\d+$/;

/** The tables of a project that are indexes, and a record of the one that answers. */
export function lanceIndexes(location: Location, context: DriverContext): StoreIndexes {
  // Every search asks which index answers: the table stays open for as long as somebody may ask.
  const records = once(() => openRecords(location, context));
  const withDatabase = async <Result>(
    work: (database: Awaited<ReturnType<typeof connectTo>>) => Promise<Result>,
  ): Promise<Result> => {
    try {
      const database = await connectTo(await loadLance(), location, context);
      try {
        return await work(database);
      } finally {
        database.close();
      }
    } catch (thrown) {
      throw lanceFailure(thrown, location);
    }
  };
  return {
    async current() {
      const name = await (await records()).read(currentKey);
      // It becomes the name of a folder.
      return name !== undefined && indexName.test(name) ? name : undefined;
    },
    names: () =>
      withDatabase(async (database) => {
        const tables: string[] = [];
        for (;;) {
          const startAfter = tables.at(-1);
          const page = await database.tableNames({ ...(startAfter && { startAfter }), limit: namesAtOnce });
          tables.push(...page);
          if (page.length < namesAtOnce) break;
        }
        const prefix = tableName(location, '');
        return tables
          .filter((name) => name.startsWith(prefix))
          .map((name) => name.slice(prefix.length))
          .filter((name) => indexName.test(name))
          .sort((one, other) => Number(one.slice(6)) - Number(other.slice(6)));
      }),
    switchTo: async (name) => (await records()).write(currentKey, name),
    remove: (names) =>
      withDatabase(async (database) => {
        for (const name of names)
          await database.dropTable(tableName(location, name)).catch((thrown: unknown) => {
            if (!isGone(thrown)) throw thrown;
          });
      }),
  };
}
