import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { type TokenTable, tableFromBytes, tableToBytes } from './token-table.ts';

/** A table that is ready, and why it will have to be built again next time, where it could not be kept. */
export interface KeptTable {
  readonly table: TokenTable;
  readonly notKept?: string;
}

/**
 * The table of this name from the cache, or a new one that is put there. A damaged file counts as none. Processes
 * that build at the same time each put a whole file in place by one rename, and the last one stays.
 */
export async function keptTable(
  cacheFolder: string,
  name: string,
  build: () => Promise<TokenTable>,
): Promise<KeptTable> {
  const folder = join(cacheFolder, 'static');
  const path = join(folder, `${name}.table`);
  const present = await tableAt(path);
  if (present) return { table: present };
  const table = await build();
  try {
    await makeFolder(folder);
    await putInPlace(path, tableToBytes(table));
  } catch (cause) {
    // Another process may have put its own there; on Windows that keeps ours out while the file is being read.
    return (await tableAt(path)) ? { table } : { table, notKept: messageOf(cause) };
  }
  return { table };
}

async function tableAt(path: string): Promise<TokenTable | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && tableFromBytes(bytes);
}

async function putInPlace(path: string, bytes: Buffer): Promise<void> {
  const unfinished = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(unfinished, bytes, { flag: 'wx', flush: true });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw cause;
  }
}
