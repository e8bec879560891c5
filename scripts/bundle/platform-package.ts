import { execFile } from 'node:child_process';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packWithNpm } from '../../src/models/npm-pack.ts';
import { type Platform, takeNativePackages } from '../native-packages.ts';

const run = promisify(execFile);

/**
 * Unpacks a packed package below `folder` and returns its place. It then has the native code of this platform and of no
 * other; what the tarball lacks comes from the registry.
 */
export async function unpackFor(
  platform: Platform,
  tarball: string,
  folder: string,
  stage: string,
): Promise<string> {
  await run('tar', ['-C', folder, '-xzf', tarball]);
  const place = join(folder, 'package');
  const own = `${platform.os}-${platform.cpu}`;
  const natives = join(place, 'native');
  for (const entry of await readdir(natives, { withFileTypes: true }))
    if (entry.isDirectory() && entry.name !== own) await rm(join(natives, entry.name), { recursive: true });
  if ((await readdir(natives)).includes(own)) return place;
  await takeNativePackages(platform, join(natives, own), async (wanted) => {
    const archives = join(stage, wanted.package);
    await mkdir(archives, { recursive: true });
    return packWithNpm(wanted, archives);
  });
  return place;
}
