import { parentPort, workerData } from 'node:worker_threads';
import { asQuarryError } from '../../../../core/errors.ts';
import { loadSqlite } from '../../../../platform/sqlite/load-sqlite.ts';
import type { CopyAnswer, CopyTask } from './copy.ts';
import { storeFailure } from './failures.ts';

/** How long the copy waits for somebody who has the file for himself, in milliseconds; only this thread stands still. */
const patience = 10_000;

/** The thread that copies an index: seconds for each gigabyte, in which SQLite answers nothing else. */
const task = workerData as CopyTask;

function reply(answer: CopyAnswer): void {
  parentPort?.postMessage(answer);
}

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

try {
  copy(task);
  reply({});
} catch (thrown) {
  const { code, message, remedy } = asQuarryError(storeFailure(thrown, task.from));
  reply({ failure: { code, message, remedy } });
}
