import type { Connection } from '../file/connection.ts';
import { isDropped } from '../layout/rows.ts';
import { findSpace } from './vectors.ts';

/** Vectors that are removed in one step: some milliseconds, after which other work gets its turn. */
const vectorsPerStep = 2_000;

// What `isDropped` holds for.
const droppedName = "CAST(x'FF' || number AS BLOB)";

/** Makes a space and its vectors unfindable, however many they are; `removeDropped` then rids the file of them. */
export function dropSpace(connection: Connection, name: string): void {
  const space = findSpace(connection, name);
  if (space) connection.run(`UPDATE spaces SET name = ${droppedName} WHERE number = ?`, space.number);
}

/** Rids the file of the vectors of dropped spaces in small steps, those included that a killed process began with. */
export async function removeDropped(connection: Connection, patience: number): Promise<void> {
  const isThere = await connection.read(() => firstDropped(connection) !== undefined);
  if (!isThere) return;
  while (await connection.maintain(() => removeSome(connection), patience)) await connection.pause();
}

/** Whether there was something to remove. */
function removeSome(connection: Connection): boolean {
  const space = firstDropped(connection);
  if (space === undefined) return false;
  const removed = connection.run(
    'DELETE FROM vectors WHERE number IN (SELECT number FROM vectors WHERE space = ? LIMIT ?)',
    space,
    vectorsPerStep,
  );
  if (removed < vectorsPerStep) connection.run('DELETE FROM spaces WHERE number = ?', space);
  return true;
}

function firstDropped(connection: Connection): number | undefined {
  const row = connection.get(`SELECT number FROM spaces WHERE ${isDropped} LIMIT 1`);
  return row && Number(row.number);
}
