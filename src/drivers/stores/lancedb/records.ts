import type { Table } from '@lancedb/lancedb';
import type { DriverContext } from '../../../contracts/driver.ts';
import { messageOf } from '../../../core/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { once } from '../../../platform/once.ts';
import { isConflict, isGone, lanceFailure } from './failures.ts';
import { type Location, tableName } from './location.ts';
import { type LancePackage, loadLance } from './package.ts';
import { quoted, rowBatch } from './rows.ts';
import { connectTo } from './table.ts';

const maxAttempts = 10;

/** The records of a project that belong to no index: its locks, and which index answers. */
export interface Records {
  read(key: string): Promise<string | undefined>;
  /** Sets a value where the present one is still the expected one; false where another was quicker. */
  replace(key: string, expected: string | undefined, value: string): Promise<boolean>;
  write(key: string, value: string): Promise<void>;
  close(): void;
}

/** Opens the table of the records, and makes it where there is none; also where it was taken away meanwhile. */
export async function openRecords(location: Location, context: DriverContext): Promise<Records> {
  const loaded = await loadLance();
  const opening = once(async () => {
    const database = await connectTo(loaded, location, context);
    return { database, table: await openTable(loaded, database, tableName(location, 'project')) };
  });
  const close = async () => {
    const { table, database } = await opening();
    table.close();
    database.close();
    await opening.close();
  };
  const guarded = async <Result>(work: (table: Table) => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work((await opening()).table);
      } catch (thrown) {
        if (attempt === maxAttempts || !(isConflict(thrown) || isGone(thrown)))
          throw lanceFailure(thrown, location);
        // What is gone has nothing left to close.
        if (isGone(thrown)) await close().catch(() => {});
        await systemClock.wait(20 * attempt * (1 + Math.random()));
      }
    }
  };
  const batch = async (table: Table, key: string, value: string) =>
    rowBatch(loaded, await table.schema(), [{ key, value }]);
  const merge = (table: Table) => table.mergeInsert('key').useIndex(false);
  return {
    read: (key) =>
      guarded(async (table) => {
        const [row] = await table
          .query()
          .where(`key = ${quoted(key)}`)
          .limit(1)
          .toArray();
        return row && String(row.value);
      }),
    replace: (key, expected, value) =>
      guarded(async (table) => {
        if (expected === undefined) {
          const result = await merge(table)
            .whenNotMatchedInsertAll()
            .execute(await batch(table, key, value));
          return result.numInsertedRows === 1;
        }
        const where = `target.value = ${quoted(expected)}`;
        const result = await merge(table)
          .whenMatchedUpdateAll({ where })
          .execute(await batch(table, key, value));
        return result.numUpdatedRows === 1;
      }),
    write: (key, value) =>
      guarded(async (table) => {
        await merge(table)
          .whenMatchedUpdateAll()
          .whenNotMatchedInsertAll()
          .execute(await batch(table, key, value));
        // Locks are renewed for as long as work is done: their previous versions are of no use to anybody.
        await tidy(table);
      }),
    // Nobody reads these any more.
    close: () => void close().catch(() => {}),
  };
}

async function tidy(table: Table): Promise<void> {
  // What is not tidied up now goes with the next renewal.
  await table.optimize({ cleanupOlderThan: new Date(Date.now() - 600_000) }).catch(() => undefined);
}

async function openTable(
  loaded: LancePackage,
  database: Awaited<ReturnType<typeof connectTo>>,
  name: string,
): Promise<Table> {
  const present = () => database.openTable(name);
  try {
    return await present();
  } catch (thrown) {
    if (!/not found/i.test(messageOf(thrown))) throw thrown;
  }
  const { Field, Schema, Utf8 } = loaded.arrow;
  const unique = new Map([['lance-schema:unenforced-primary-key', 'true']]);
  const schema = new Schema([
    new Field('key', new Utf8(), false, unique),
    new Field('value', new Utf8(), true),
  ]);
  return database.createEmptyTable(name, schema, { mode: 'create' }).catch(present);
}
