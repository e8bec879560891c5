import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

// A build puts this module into `dist/chunks/` and `dist/threads/`: as deep as it lies in `src/`.
const packageUrl = new URL('../../', import.meta.url);
const isBuilt = extname(import.meta.url) === '.js';

/** The path of a file or folder of this package, from its root. */
export function packagePath(path: string): string {
  return fileURLToPath(new URL(path, packageUrl));
}

/** The file of a thread, by its path below `src/` without the extension. */
export function threadFile(path: string): URL {
  return new URL(isBuilt ? `../threads/${basename(path)}.js` : `../${path}.ts`, import.meta.url);
}

/** The path of a file that a build has made, below `dist/`; undefined where this runs from source. */
export function builtFile(path: string): string | undefined {
  return isBuilt ? packagePath(`dist/${path}`) : undefined;
}

/** The file of the program itself, built or from source as this one is. */
export function programFile(): string {
  return packagePath(isBuilt ? 'dist/surfaces/cli/main.js' : 'src/surfaces/cli/main.ts');
}
