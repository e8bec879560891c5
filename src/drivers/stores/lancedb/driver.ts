import { basename, join } from 'node:path';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Store } from '../../../contracts/store.ts';
import { findLocation, lanceOptions, tableName } from './location.ts';
import { packageName } from './package.ts';

/** LanceDB: tables of columns in a folder, or in an object store that several machines share. */
export default defineDriver<Store, typeof lanceOptions>({
  name: 'lancedb',
  summary: 'LanceDB in a folder, in any S3-compatible or Azure store, or in its cloud.',
  options: lanceOptions,
  requires: [packageName],
  async open(given, context) {
    const { openLanceStore } = await import('./store.ts');
    return openLanceStore(findLocation(given, context), basename(context.stateFolder), context);
  },
  indexFolder(given, context, name) {
    const location = findLocation(given, context);
    return location.folder && join(location.folder, `${tableName(location, name)}.lance`);
  },
  async lease(given, context, name) {
    const { openLease } = await import('./leases.ts');
    return openLease(findLocation(given, context), context, name);
  },
  async indexes(given, context) {
    const { lanceIndexes } = await import('./indexes.ts');
    return lanceIndexes(findLocation(given, context), context);
  },
});
