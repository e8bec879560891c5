import { pathMatcher } from '../../../../core/globs/glob.ts';

/** Which files and folders the include globs of the settings let in. */
export interface Inclusion {
  admitsFile(uri: string): boolean;
  /** Whether an admitted file can lie below this folder; `uri` ends in a slash. */
  mayHoldFiles(uri: string): boolean;
}

/** Compiles include globs; none at all admits everything. */
export function compileInclusion(globs: readonly string[]): Inclusion {
  const bases = globs.filter((glob) => !glob.startsWith('!')).map(fixedFolder);
  return {
    admitsFile: pathMatcher(globs),
    mayHoldFiles: (uri) =>
      bases.length === 0 || bases.some((base) => uri.startsWith(base) || base.startsWith(uri)),
  };
}

/** The folder that all matches of a glob lie in, with a closing slash; empty where it can be any. */
function fixedFolder(glob: string): string {
  const [plain = ''] = glob.replace(/^\.?\//, '').split(/[*?[{(\\]/, 1);
  return plain.slice(0, plain.lastIndexOf('/') + 1);
}
