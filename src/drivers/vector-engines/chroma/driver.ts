import { defineDriver } from '../../../contracts/driver.ts';
import type { VectorEngine } from '../../../contracts/vector-engine.ts';
import { chromaOptions, findLocation } from './location.ts';

/** Chroma: collections of vectors on a server, spoken to over HTTP. */
export default defineDriver<VectorEngine, typeof chromaOptions>({
  name: 'chroma',
  summary:
    'A Chroma server, or its cloud service, keeps the vectors beside an index in SQLite; nothing is installed for it.',
  options: chromaOptions,
  requires: [],
  async open(given, context) {
    const { chromaEngine } = await import('./engine.ts');
    const { chromaServer } = await import('./server.ts');
    const location = findLocation(given, context);
    const { address, tenant, database, collection } = location;
    const place = [address.host, tenant, database, collection].join('/');
    return chromaEngine(chromaServer(location, context), place, collection);
  },
});
