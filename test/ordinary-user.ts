import { chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The user that owns nothing. */
const nobody = 65_534;

/**
 * Runs work as someone for whom permissions count: to the superuser everything is open. The folder and the files in it
 * are that user's own meanwhile.
 */
export async function asOrdinaryUser<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  const give = (user: number): void => {
    for (const name of ['', ...readdirSync(folder)]) chownSync(join(folder, name), user, user);
  };
  give(nobody);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    give(0);
  }
}
