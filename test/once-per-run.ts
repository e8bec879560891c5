import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../src/core/errors.ts';

/**
 * Makes a folder once for the whole test run, whichever test file asks first and in whichever process: the others wait for
 * it. It is seen whole or not at all. Where making it failed, everybody gets the failure.
 */
export async function oncePerRun(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(tmpdir(), name);
  const failure = `${folder}.failure`;
  const isFirst = await mkdir(`${folder}.asked`).then(
    () => true,
    () => false,
  );
  if (isFirst) await makeWhole(folder, make).catch((error) => writeFile(failure, messageOf(error)));
  while (!existsSync(folder) && !existsSync(failure)) await pause(100);
  if (existsSync(failure)) throw new Error(await readFile(failure, 'utf8'));
  return folder;
}

async function makeWhole(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await mkdir(unfinished);
  await make(unfinished);
  await rename(unfinished, folder);
}
