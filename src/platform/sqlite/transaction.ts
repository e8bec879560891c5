import type { DatabaseSync } from 'node:sqlite';

/** `immediate` takes the right to write at the start. */
export type TransactionKind = 'read' | 'immediate';

/** Runs statements that see one state of the file and are committed together, or not at all when `work` throws. */
export function inTransaction<Result>(
  database: DatabaseSync,
  kind: TransactionKind,
  work: () => Result,
): Result {
  database.exec(kind === 'immediate' ? 'BEGIN IMMEDIATE' : 'BEGIN');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends a transaction without its changes. */
export function rollBack(database: DatabaseSync): void {
  // Some failures (a full disk, a damaged page) end the transaction by themselves. ROLLBACK then fails too, but the
  // first error is the one that counts.
  try {
    database.exec('ROLLBACK');
  } catch {}
}
