import type { StoreIndexes } from '../../../contracts/store.ts';
import { isGone } from './failures.ts';
import { prepareProject } from './layout.ts';
import { checkFences } from './leases.ts';
import { indexSchema, projectSchema, quoted } from './names.ts';
import type { Pool } from './pool.ts';

/** The list of a project's indexes, which all machines that share the database see. */
export function databaseIndexes(pool: Pool, collection: string, allowed: () => Promise<void>): StoreIndexes {
  const schema = projectSchema(collection);
  const table = `${quoted(schema)}.indexes`;
  /** The first to come makes the list. */
  const reach = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await allowed();
    return work().catch(async (thrown: unknown) => {
      if (!(thrown instanceof Error) || !isGone(thrown.cause)) throw thrown;
      await prepareProject(pool, schema);
      return work();
    });
  };
  return {
    current: () =>
      reach(async () => {
        const [row] = await pool.read(`SELECT name FROM ${table} WHERE is_current`);
        return row && String(row.name);
      }),
    names: () =>
      reach(async () => {
        const rows = await pool.read(`SELECT name FROM ${table} ORDER BY number`);
        return rows.map(({ name }) => String(name));
      }),
    switchTo: (name, fences) =>
      reach(() =>
        pool.transaction(async (ask) => {
          await checkFences(ask, schema, fences);
          await ask(`UPDATE ${table} SET is_current = (name = $1)`, [name]);
        }),
      ),
    remove: (names, fences) =>
      reach(() =>
        pool.transaction(async (ask) => {
          await checkFences(ask, schema, fences);
          for (const name of names) {
            await ask(`DELETE FROM ${table} WHERE name = $1`, [name]);
            await ask(`DROP SCHEMA IF EXISTS ${quoted(indexSchema(collection, name))} CASCADE`);
          }
        }),
      ),
  };
}
