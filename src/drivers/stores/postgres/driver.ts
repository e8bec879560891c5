import { basename } from 'node:path';
import { type DriverContext, defineDriver } from '../../../contracts/driver.ts';
import type { Store } from '../../../contracts/store.ts';
import { databaseAddress, type PostgresOptions, postgresOptions, requireConsent } from './address.ts';
import { projectSchema } from './names.ts';

/** A PostgreSQL database keeps the index, which several machines may search and write. */
export default defineDriver<Store, typeof postgresOptions>({
  name: 'postgres',
  summary: 'A PostgreSQL database with pgvector keeps the index; several machines may search and write it.',
  options: postgresOptions,
  requires: ['pg'],
  async open(options, context) {
    const { openPostgresStore } = await import('./store.ts');
    const { pool, allowed } = await reach(options, context);
    await allowed();
    return openPostgresStore(pool, options.collection, basename(context.stateFolder));
  },
  async lease(options, context, name) {
    const { databaseLease } = await import('./leases.ts');
    const { pool, allowed } = await reach(options, context);
    await allowed();
    return databaseLease(pool, projectSchema(options.collection), name);
  },
  async indexes(options, context) {
    const { databaseIndexes } = await import('./indexes.ts');
    const { pool, allowed } = await reach(options, context);
    return databaseIndexes(pool, options.collection, allowed);
  },
});

/** The connections to the database of the settings; nothing is sent yet. */
async function reach(options: PostgresOptions, context: DriverContext) {
  const { poolOf } = await import('./pool.ts');
  const address = databaseAddress(options, context.environment);
  return { pool: poolOf(address), allowed: () => requireConsent(address, context) };
}
