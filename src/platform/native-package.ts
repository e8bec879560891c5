import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { packagePath } from './package-folder.ts';

const require = createRequire(import.meta.url);

/** Where a package with compiled code lies inside this one, whether it is there or not: see `native/PROVENANCE.md`. */
export function carriedFolder(name: string): string {
  return packagePath(`native/${process.platform}-${process.arch}/${name}/`);
}

/** The folder of such a package: inside this one, or, where it has none for this platform, where the user installed it. */
export function nativeFolder(name: string): string {
  const carried = carriedFolder(name);
  return existsSync(carried) ? carried : dirname(require.resolve(`${name}/package.json`));
}

/**
 * Loads a package with native code: the copy inside this package, or, where it has none for this platform, the one that
 * the user installed. With `prefer: 'installed'` the user's own comes first.
 */
export function requireNative<Module>(name: string, prefer: 'carried' | 'installed' = 'carried'): Module {
  const carried = carriedFolder(name);
  const mayCarry = existsSync(carried) && !(prefer === 'installed' && isInstalled(name));
  // Only the caller knows what the package exports.
  return require(mayCarry ? carried : name) as Module;
}

function isInstalled(name: string): boolean {
  try {
    return require.resolve(name) !== '';
  } catch {
    // Not installed.
    return false;
  }
}
