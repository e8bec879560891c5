import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { contentHash } from '../src/client/build.ts';
import { packagePath } from '../src/platform/package-folder.ts';

/** The file of a build that holds the hash of what it was made from. */
export const sourceFile = 'source-hash';

/** The hash of all that a build is made from. */
export function sourceHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['src', 'web', 'scripts']) hash.update(contentHash(folder));
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'])
    hash.update(readFileSync(packagePath(file)));
  return hash.digest('hex');
}

/** Whether `dist` is of this source. */
export function isBuilt(): boolean {
  const file = packagePath(`dist/${sourceFile}`);
  return existsSync(file) && readFileSync(file, 'utf8') === sourceHash();
}
