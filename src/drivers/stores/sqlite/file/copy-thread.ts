import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import { serveCalls } from '../../../../platform/threads/serve-calls.ts';
import type { CopyTask } from './copy.ts';
import { storeFailure } from './failures.ts';

/** How long the copy waits for a process that has the file to itself, in milliseconds; only this thread stands still. */
const patience = 10_000;

/** The thread that copies an index: seconds for each gigabyte, in which SQLite answers nothing else. */
serveCalls<CopyTask, undefined>(async (task) => {
  try {
    copy(task);
  } catch (thrown) {
    throw storeFailure(thrown, task.from);
  }
  return { value: undefined };
});

function copy({ from, to }: CopyTask): void {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${patience}`);
    database.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
  } finally {
    database.close();
  }
}
