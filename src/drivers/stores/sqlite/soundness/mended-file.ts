import { existsSync, rmSync } from 'node:fs';
import type { Connection } from '../connection.ts';
import { inMemory } from '../open-database.ts';

/** Where the sound copy of a damaged index stands while it is made. Whoever makes it keeps others from writing. */
export function mendedPath(database: string): string {
  return `${database}.mended`;
}

/** Removes the copy and what SQLite had beside it; what somebody has open on Windows stays. */
export function removeMended(database: string): void {
  const path = mendedPath(database);
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    try {
      rmSync(file, { force: true });
    } catch {}
  }
}

/** Removes the copy that a killed process left: while this one may write, nobody is making it. */
export async function removeLeftMended(connection: Connection, patience: number): Promise<void> {
  if (connection.path === inMemory || !existsSync(mendedPath(connection.path))) return;
  await connection.tend(() => removeMended(connection.path), patience);
}
