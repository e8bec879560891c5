// Builds or extends the graph of an index file, even for few vectors; it is meant to be killed while it works.
import { Connection } from '../../src/drivers/stores/sqlite/file/connection.ts';
import { NearestSearch } from '../../src/drivers/stores/sqlite/vectors/nearest.ts';
import { defaultLimits } from '../../src/drivers/stores/sqlite/vectors/space-search.ts';

const [path = '', space = ''] = process.argv.slice(2);
const connection = new Connection(path);
const nearest = new NearestSearch(connection, { ...defaultLimits(), exactBytes: 0 });
for await (const _ of nearest.prepare(space));
await nearest.close();
connection.close();
