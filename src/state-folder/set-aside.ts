import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import { withinOwnFolder } from '../platform/own-files.ts';
import { namesIn, unusable } from './index-folders.ts';

/** The lock file of the process that sets an index aside. */
export const setAsideLockName = 'foreign.lock';

const name = /^foreign-(\d+)$/;

/** What somebody else made is kept for a person to look at, but not without bound. */
const maxKept = 3;

/** Nobody sets so much aside: a higher number came with the folder, and may leave no number after it. */
const maxNumber = 999_999;

/** The names of what was set aside in a state folder, oldest first. */
export async function setAsideNames(stateFolder: string): Promise<string[]> {
  const names = await namesIn(stateFolder);
  return names.filter((each) => name.test(each)).sort((one, other) => numberOf(one) - numberOf(other));
}

/** Gives a folder of the state folder a name under which nothing of it is used, and returns what to say of it. */
export async function setAside(
  stateFolder: string,
  folder: string,
  found: QuarryError,
): Promise<QuarryError> {
  let there = await setAsideNames(stateFolder);
  if (there.some((each) => numberOf(each) >= maxNumber)) {
    await removeSetAside(stateFolder, there);
    there = [];
  }
  const own = `foreign-${numberOf(there.at(-1) ?? 'foreign-0') + 1}`;
  await withinOwnFolder(stateFolder, async (steady) => {
    const found = dirname(folder) === stateFolder ? join(steady, basename(folder)) : folder;
    await rename(found, join(steady, own));
  }).catch((cause) => {
    throw unusable(stateFolder, cause);
  });
  await removeSetAside(stateFolder, [...there, own].slice(0, -maxKept));
  return new QuarryError(
    'store-foreign',
    `${found.message.replace(/\.$/, '')}. It was set aside as ${join(basename(stateFolder), own)}, and the index is built again from the files.`,
    'Look at it if it should be yours; quarry clean removes it.',
    { cause: found },
  );
}

/** Removes what was set aside. */
export async function removeSetAside(stateFolder: string, names: readonly string[]): Promise<void> {
  await withinOwnFolder(stateFolder, async (folder) => {
    for (const each of names) await rm(join(folder, each), { recursive: true, force: true, maxRetries: 2 });
  });
}

function numberOf(each: string): number {
  return Number(name.exec(each)?.[1]);
}
