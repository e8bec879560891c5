import { QuarryError } from '../errors.ts';
import { expandGroups } from './expand-groups.ts';
import { compileWildcard, wildcardExpression } from './wildcard.ts';

/** Longer texts are no globs. */
const longestGlob = 1000;
/** Patterns without groups that all globs of one list may stand for: each file is compared with each of them. */
const mostPatterns = 2000;
/** … and what these are long together. */
const mostCharacters = 100_000;

/** A glob, the patterns without groups that it stands for, and what they are long together. */
interface CompiledGlob {
  readonly count: number;
  readonly length: number;
  readonly matches: PathTest;
}

/** Whether a path matches. */
export type PathTest = (uri: string) => boolean;

/**
 * Compiles path globs to one test; those that start with `!` exclude. A glob without `/` matches the file name in any
 * folder, as in `.gitignore`, and a bare folder name everything inside it. Time and memory are bounded for any globs.
 */
export function pathMatcher(globs: readonly string[]): PathTest {
  const compiled = globs.map((glob) => ({ isNegated: glob.startsWith('!'), ...compileGlob(glob) }));
  const patterns = compiled.reduce((sum, { count }) => sum + count, 0);
  if (patterns > mostPatterns) {
    throw new QuarryError(
      'filter-invalid',
      `${globs.length} globs stand for ${patterns} patterns; at most ${mostPatterns} can be compared with each file.`,
      'Use fewer globs, with wildcards instead of alternatives.',
    );
  }
  const characters = compiled.reduce((sum, { length }) => sum + length, 0);
  if (characters > mostCharacters) {
    throw new QuarryError(
      'filter-invalid',
      `${globs.length} globs stand for patterns of ${characters} characters together; at most ${mostCharacters} can be compared with each file.`,
      'Use fewer or shorter globs.',
    );
  }
  const positive = compiled.filter(({ isNegated }) => !isNegated);
  const negative = compiled.filter(({ isNegated }) => isNegated);
  return (uri) =>
    (positive.length === 0 || positive.some(({ matches }) => matches(uri))) &&
    !negative.some(({ matches }) => matches(uri));
}

/** What globs admit and exclude, as regular expressions over the whole of a path. */
export interface PathExpressions {
  /** Absent where everything is admitted that is not excluded. */
  readonly admitted?: string;
  readonly excluded?: string;
}

/** The same globs for an engine that compares paths itself; fails where `pathMatcher` does. */
export function pathExpressions(globs: readonly string[]): PathExpressions {
  pathMatcher(globs);
  const [admitted, excluded] = [false, true].map((isNegated) =>
    globs.filter((glob) => glob.startsWith('!') === isNegated).flatMap(globExpressions),
  );
  return {
    ...(admitted?.length && { admitted: anyOf(admitted) }),
    ...(excluded?.length && { excluded: anyOf(excluded) }),
  };
}

function anyOf(expressions: readonly string[]): string {
  return `^(?:${expressions.join('|')})$`;
}

function globExpressions(glob: string): string[] {
  const anchored = glob.replace(/^!?(\.?\/)?/, '');
  const folders = anchored.includes('/') ? '' : '(?:(?:.|\\n)*/)?';
  return expandGroups(anchored).flatMap((pattern) => {
    const covering = wildcardExpression(pattern.endsWith('/') ? `${pattern}**` : pattern);
    const inside = wildcardExpression(`${pattern.replace(/\\(.)/g, '$1').replace(/[\\*?[]/g, '\\$&')}/**`);
    return [covering === undefined ? undefined : folders + covering, inside].filter(
      (expression) => expression !== undefined,
    );
  });
}

function compileGlob(glob: string): CompiledGlob {
  const anchored = glob.replace(/^!?(\.?\/)?/, '');
  if (anchored === '' || anchored.length > longestGlob) {
    throw new QuarryError(
      'filter-invalid',
      `"${glob.slice(0, 80)}" is not a path pattern${anchored === '' ? '' : `: it is longer than ${longestGlob} characters`}.`,
      'Write a glob such as src/** or *.md.',
    );
  }
  const isPath = anchored.includes('/');
  const patterns = expandGroups(anchored);
  const compiled = (): PathTest[] =>
    patterns.map((pattern) => {
      const covers = compileWildcard(pattern.endsWith('/') ? `${pattern}**` : pattern, false);
      const inside = `${pattern.replace(/\\(.)/g, '$1')}/`;
      return (uri) => covers(isPath ? uri : uri.slice(uri.lastIndexOf('/') + 1)) || uri.startsWith(inside);
    });
  let tests: readonly PathTest[] | undefined;
  return {
    count: patterns.length,
    length: patterns.reduce((sum, pattern) => sum + pattern.length, 0),
    matches(uri) {
      // Not before it is known that all globs together are not too long.
      tests ??= compiled();
      return uri !== '' && tests.some((matches) => matches(uri));
    },
  };
}
