import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Folders to remove when the process ends. */
const made: string[] = [];

function removeAll(): void {
  // A file that is still open on Windows stays; the system clears its own temporary folder.
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
}

/** Makes a new folder outside any project with the given files, by relative path; it is removed when the process ends. */
export async function temporaryFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-'));
  if (made.push(folder) === 1) process.once('exit', removeAll);
  await writeFiles(folder, files);
  return folder;
}

/** Writes files below a folder, making the folders in between. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
