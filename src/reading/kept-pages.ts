import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256 } from '../core/identity.ts';
import type { RecognisedText } from '../core/picture.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { once } from '../platform/once.ts';
import { writeDurably } from '../platform/write-durably.ts';

/** Pages that are kept at most; a page takes some ten kilobytes. */
const maxPages = 20_000;

const share = z.number().min(0).max(1000);
const page = z.object({
  text: z.string(),
  words: z.array(
    z.object({
      start: z.int().min(0),
      end: z.int().min(0),
      page: z.int().min(1),
      left: share,
      top: share,
      width: share,
      height: share,
    }),
  ),
});

/** Pages that were read from pictures, by what they were read from and with. */
export interface KeptPages {
  /** The page that was kept under this name, or the one that `read` gives, which is kept then. */
  page(name: string, read: () => Promise<RecognisedText>): Promise<RecognisedText>;
}

/** Keeps pages in the folder that all projects of the user share; for the user alone. */
export function createKeptPages(cacheFolder: string): KeptPages {
  const folder = join(cacheFolder, 'pictures');
  const prepared = once(async () => {
    await makeFolder(folder, 0o700);
    await dropOldest(folder, maxPages);
  });
  return {
    async page(name, read) {
      const path = join(folder, `${sha256(name)}.json`);
      const present = await load(path);
      if (present) return present;
      const made = await read();
      // What cannot be kept is read again another time.
      await prepared()
        .then(() => writeDurably(path, JSON.stringify(made), 0o600))
        .catch(() => undefined);
      return made;
    },
  };
}

/** What is kept there; nothing where it is not there or damaged. */
async function load(path: string): Promise<RecognisedText | undefined> {
  try {
    const { success, data } = page.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return success ? data : undefined;
  } catch {
    // It is read from the picture.
    return undefined;
  }
}

/** Removes the oldest pages where there are more than so many. */
export async function dropOldest(folder: string, max: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= max) return;
  const aged = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // One that is gone meanwhile counts as the oldest.
      return { path, time: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
    }),
  );
  aged.sort((one, other) => one.time - other.time);
  // A tenth more, so that this is rare.
  const left = Math.floor(max * 0.9);
  for (const { path } of aged.slice(0, names.length - left)) await rm(path, { force: true });
}
