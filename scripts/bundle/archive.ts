import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** With these the same files make the same bytes: in order, of nobody, of one time, for everyone to read. Only GNU's tar knows them. */
const reproducible = [
  '--sort=name',
  '--owner=0',
  '--group=0',
  '--numeric-owner',
  '--mtime=@499162500',
  '--mode=u+rw,go=rX',
  '--use-compress-program=gzip -n',
];

/** Packs the folder `name` of `parent`. */
export async function archiveFolder(archive: string, parent: string, name: string): Promise<void> {
  const options = process.platform === 'linux' ? reproducible : ['-z'];
  await run('tar', [...options, '-cf', archive, '-C', parent, name]);
}

/** All files below a folder, sorted. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort();
}

/** The hash of every file, in the form that `sha256sum -c` reads. */
export async function sumsOf(folder: string, files: readonly string[]): Promise<string> {
  const lines: string[] = [];
  for (const file of files)
    lines.push(`${await hashOf(file)}  ${relative(folder, file).split(sep).join('/')}\n`);
  return lines.join('');
}

/** The SHA-256 of a file. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
