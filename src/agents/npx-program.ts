import { delimiter, dirname, join, sep } from 'node:path';
import { isInside } from '../platform/contained-path.ts';
import { packagePath, programFile } from '../platform/package-folder.ts';
import { realPath } from '../platform/real-path.ts';
import type { InstallPlace } from './agents.ts';
import { exists } from './own-text.ts';

/**
 * What `npx --no-install quarry` would start in a project: this very program, another, or none. It is looked up and not run:
 * a folder that somebody else made may bring a program of that name, and settings by which npm runs others.
 */
export async function foundByNpx(place: InstallPlace): Promise<'this' | 'other' | 'none'> {
  const { platform, folder, environment } = place;
  const name = platform === 'win32' ? 'quarry.cmd' : 'quarry';
  for (const bin of [...binsAbove(folder), ...binsOnPath(environment('PATH') ?? '')])
    if (await exists(join(bin, name))) return (await leadsHere(bin, name, platform)) ? 'this' : 'other';
  // What `npx` has in a cache of its own, it finds there again.
  return programFile().split(sep).includes('_npx') ? 'this' : 'none';
}

function binsAbove(folder: string): string[] {
  const bin = join(folder, 'node_modules', '.bin');
  const parent = dirname(folder);
  return parent === folder ? [bin] : [bin, ...binsAbove(parent)];
}

/** Without those of projects, which `npx` adds for its own time. */
function binsOnPath(path: string): string[] {
  return path.split(delimiter).filter((bin) => bin !== '' && !/[\\/]node_modules[\\/]\.bin$/.test(bin));
}

async function leadsHere(bin: string, name: string, platform: string): Promise<boolean> {
  // A script beside the packages, where it is no link to one.
  if (platform === 'win32')
    return [join(bin, '..', 'quarry'), join(bin, 'node_modules', 'quarry')].some((home) =>
      isInside(home, programFile()),
    );
  const own = await realPath(packagePath('.'));
  // A link to nothing starts nothing of ours.
  return isInside(own, await realPath(join(bin, name)).catch(() => '/'));
}
