import { randomUUID } from 'node:crypto';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file in one step that survives a power cut: readers see the old content or the new one, never half. A process
 * that is killed leaves `NAME.….tmp` at most.
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o666): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: 'wx', flush: true, mode });
    await rename(temporary, path);
  } catch (cause) {
    // Why it was not written is thrown next; the rest goes with other leftovers.
    await rm(temporary, { force: true }).catch(() => {});
    throw cause;
  }
  await syncFolder(dirname(path));
}

/** Makes names in a folder durable; a system that cannot sync folders does so by itself. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, some network drives sync none: their names are durable without.
  const handle = await open(folder).catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}
