import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { modelsFolder } from './added-models.ts';

/** Begins with a dot: no model has such a name. */
const prefix = '.staging-';
/** From this age on a folder is a leftover, of any process. */
const maxUseMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Gives `use` an empty folder on the same disk as the models, so that what it makes can be put in place by one
 * rename; the folder goes when `use` ends, and with it the leftovers of processes that were killed.
 */
export async function withStagingFolder<Value>(
  cacheFolder: string,
  use: (folder: string) => Promise<Value>,
): Promise<Value> {
  const parent = modelsFolder(cacheFolder);
  const owner = `${thisMachine()}-${process.pid}-${randomBytes(6).toString('hex')}`;
  const folder = join(parent, prefix + owner);
  try {
    await makeFolder(folder, 0o700);
  } catch (cause) {
    throw cannotWrite(parent, cause);
  }
  try {
    await removeLeftovers(parent);
    return await use(folder);
  } catch (cause) {
    throw cause instanceof QuarryError || codeOf(cause) === undefined ? cause : cannotWrite(folder, cause);
  } finally {
    await removeFolder(folder);
  }
}

/** The error for a cache that cannot be written, with what the system said. */
export function cannotWrite(path: string, cause: unknown): QuarryError {
  const full = codeOf(cause) === 'ENOSPC' || codeOf(cause) === 'EDQUOT';
  return new QuarryError(
    'store-unusable',
    `The folder of models cannot be written at ${path}: ${messageOf(cause)}.`,
    full
      ? 'Free some space on the disk and run the command again.'
      : 'Make the folder writable, or let the cache be in another place.',
    { cause },
  );
}

/** The system's code of a failed call, such as `ENOENT`. */
export function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

async function removeLeftovers(parent: string): Promise<void> {
  // Without the folder there are no leftovers.
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(prefix))) {
    const folder = join(parent, name);
    if (await isLeftover(folder, name.slice(prefix.length))) await removeFolder(folder);
  }
}

/** Whether the process that made the folder is gone: certain on this machine, by age on one that shares the disk. */
async function isLeftover(folder: string, owner: string): Promise<boolean> {
  const [machine, processId] = owner.split('-');
  if (machine === thisMachine() && !isRunning(Number(processId))) return true;
  // It was removed meanwhile.
  const found = await stat(folder).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > maxUseMilliseconds;
}

function isRunning(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    return process.kill(processId, 0);
  } catch (cause) {
    // A process of another user may not be signalled, but it is there.
    return codeOf(cause) === 'EPERM';
  }
}

/** What cannot be removed now is removed as a leftover later. */
async function removeFolder(folder: string): Promise<void> {
  // It is a leftover for the next one who stages.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

function thisMachine(): string {
  return sha256(hostname()).slice(0, 8);
}
