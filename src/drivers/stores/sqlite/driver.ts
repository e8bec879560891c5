import { join } from 'node:path';
import { z } from 'zod';
import { type DriverContext, defineDriver } from '../../../contracts/driver.ts';
import type { Store } from '../../../contracts/store.ts';

const options = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('The index file; `index.sqlite` in the state folder if absent.'),
});

function defaultPath({ stateFolder }: DriverContext): string {
  return join(stateFolder, 'index.sqlite');
}

/** The default store: one SQLite file, no server and no native package. */
export default defineDriver<Store, typeof options>({
  name: 'sqlite',
  summary: 'One SQLite file with full-text search and exact vector search; needs nothing but Node.js.',
  options,
  requires: [],
  async open({ path }, context) {
    const { openSqliteStore } = await import('./store.ts');
    return openSqliteStore(path ?? defaultPath(context), { key: await context.ownKey() }, context.resources);
  },
});
