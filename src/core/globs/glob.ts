import { QuarryError } from '../errors.ts';
import { beginningOf } from '../text/shortened.ts';
import { expandGroups } from './expand-groups.ts';
import { anyPattern, type PathTest, type Pattern, wildcardsIn } from './pattern-list.ts';
import { wildcardExpression } from './wildcard.ts';

/** Longer texts are no globs. */
const maxGlobLength = 1000;
/** Patterns without groups that all globs of one list may stand for. */
const maxPatterns = 2000;
/** … and what these are long together. */
const maxCharacters = 100_000;
/** Wildcards in patterns that cannot be looked up: each file is compared with each of these patterns. */
const maxWildcards = 200;

/**
 * Compiles path globs to one test; those that start with `!` exclude. A glob without `/` matches the file name in any
 * folder, as in `.gitignore`, and a bare folder name everything inside it. Time and memory are bounded for any globs.
 */
export function pathMatcher(globs: readonly string[]): PathTest {
  const positive = globs.filter((glob) => !glob.startsWith('!')).flatMap(patternsOf);
  const negative = globs.filter((glob) => glob.startsWith('!')).flatMap(patternsOf);
  requireBounded(globs, [...positive, ...negative]);
  let tests: readonly [PathTest, PathTest] | undefined;
  return (uri) => {
    // Most lists are only checked: each glob of a long one by itself, and then all of them together.
    tests ??= [positive.length === 0 ? () => true : anyPattern(positive), anyPattern(negative)];
    const [admits, excludes] = tests;
    return admits(uri) && !excludes(uri);
  };
}

/** A glob that matches this path, whatever is in it. */
export function literalGlob(uri: string): string {
  return uri.replace(/[\\*?[\]{}()!+@|]/g, '\\$&');
}

function requireBounded(globs: readonly string[], patterns: readonly Pattern[]): void {
  const tooMany = (what: string, remedy: string) =>
    new QuarryError(
      'usage-invalid',
      `${globs.length} globs stand for ${what} can be compared with each file.`,
      remedy,
    );
  if (patterns.length > maxPatterns)
    throw tooMany(
      `${patterns.length} patterns; at most ${maxPatterns}`,
      'Use fewer globs, with wildcards instead of alternatives.',
    );
  const characters = patterns.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > maxCharacters)
    throw tooMany(
      `patterns of ${characters} characters together; at most ${maxCharacters}`,
      'Use fewer or shorter globs.',
    );
  const wildcards = patterns.reduce((sum, pattern) => sum + wildcardsIn(pattern), 0);
  if (wildcards > maxWildcards)
    throw tooMany(
      `patterns with ${wildcards} wildcards amid their text; at most ${maxWildcards}`,
      'Use fewer wildcards: names, folders (src/**) and endings (*.md) count none.',
    );
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

/** The patterns without groups that a glob stands for. */
function patternsOf(glob: string): Pattern[] {
  const anchored = glob.replace(/^!?(\.?\/)?/, '');
  if (anchored === '' || anchored.length > maxGlobLength) {
    throw new QuarryError(
      'usage-invalid',
      `"${beginningOf(glob, 80)}" is not a path pattern${anchored === '' ? '' : `: it is longer than ${maxGlobLength} characters`}.`,
      'Write a glob such as src/** or *.md.',
    );
  }
  const isPath = anchored.includes('/');
  return expandGroups(anchored).map((text) => ({ text, isPath }));
}
