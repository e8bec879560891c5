import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const { mode } = statSync(tmpdir());
  // The folder of the tests may be closed to others; passing through it is all they need.
  chmodSync(tmpdir(), mode | 0o011);
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    give(0);
    chmodSync(tmpdir(), mode);
  }
}
