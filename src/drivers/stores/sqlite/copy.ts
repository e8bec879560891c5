import { rename, rm } from 'node:fs/promises';
import { loadSqlite } from '../../../platform/load-sqlite.ts';
import { storeFailure } from './failures.ts';

/** Copies an index as it is at one moment, compacted; the copy appears under its name only when it is whole. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const { DatabaseSync } = loadSqlite();
  const temporary = `${to}.tmp`;
  await rm(temporary, { force: true });
  try {
    const database = new DatabaseSync(from, { readOnly: true });
    try {
      database.exec(`VACUUM INTO '${temporary.replaceAll("'", "''")}'`);
    } finally {
      database.close();
    }
  } catch (thrown) {
    throw storeFailure(thrown, from);
  }
  await rename(temporary, to);
}
