import { basename } from 'node:path';
import { defineDriver } from '../../../contracts/driver.ts';
import type { Store } from '../../../contracts/store.ts';
import { takeLease } from '../leases.ts';
import { chromaIndexes } from './indexes.ts';
import { chromaOptions, findLocation, placeOf } from './location.ts';
import { openRecords } from './records.ts';

/** Chroma: collections of records with vectors on a server, spoken to over HTTP. */
export default defineDriver<Store, typeof chromaOptions>({
  name: 'chroma',
  summary: 'A Chroma server, or its cloud service, keeps the index; nothing is installed for it.',
  options: chromaOptions,
  requires: [],
  async open(given, context) {
    const { openChromaStore } = await import('./store.ts');
    return openChromaStore(findLocation(given, context), basename(context.stateFolder), context);
  },
  locks(given, context) {
    const location = findLocation(given, context);
    return {
      take: (name, waiting) =>
        takeLease(placeOf(location), async () => openRecords(location, context), name, waiting),
    };
  },
  indexes: (given, context) => chromaIndexes(findLocation(given, context), context),
});
