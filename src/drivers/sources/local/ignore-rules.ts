import { asBytes, compileWildcard, foldCase } from './wildcard.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  /** Where it stands and what it says: `docs/.gitignore:3 build/`. */
  readonly label: string;
  /** A rule that starts with `!` takes back what an earlier one ignored. */
  readonly negated: boolean;
  /** Whether it names something, or is wildcards alone (`*`, `**`, `*` with a slash). */
  readonly specific: boolean;
  /** Whether it speaks of this entry; `path` is relative to the folder of the rule, both as bytes. */
  matches(path: string, name: string, isFolder: boolean): boolean;
}

/** Reads the lines of an ignore file as git does; `source` names the file in the labels. */
export function parseIgnoreFile(text: string, source: string, ignoreCase = false): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const label = (written: string) => `${source}:${index + 1} ${written}`;
    const rule = parseIgnoreLine(line.replace(/\r$/, ''), ignoreCase, label);
    if (rule) rules.push(rule);
  }
  return rules;
}

/** Reads patterns given one by one in the settings; they are written like the lines of an ignore file. */
export function parseIgnorePatterns(patterns: readonly string[], source: string): IgnoreRule[] {
  return patterns.flatMap((pattern) => parseIgnoreLine(pattern, false, (line) => `${source} ${line}`) ?? []);
}

/** The rule that decides over an entry: the last one that speaks of it. */
export function lastMatch(
  rules: readonly IgnoreRule[],
  path: string,
  name: string,
  isFolder: boolean,
): IgnoreRule | undefined {
  return rules.findLast((rule) => rule.matches(path, name, isFolder));
}

function parseIgnoreLine(
  raw: string,
  ignoreCase: boolean,
  label: (line: string) => string,
): IgnoreRule | undefined {
  if (raw.startsWith('#')) return undefined;
  const [beforeNul = ''] = raw.split('\0', 1);
  const line = trimTrailingSpaces(beforeNul);
  const negated = line.startsWith('!');
  let pattern = negated ? line.slice(1) : line;
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const matchesPath = compilePattern(asBytes(pattern), ignoreCase);
  return {
    label: label(line),
    negated,
    specific: /[^*?/]/.test(pattern),
    matches: (path, name, isFolder) => (isFolder || !foldersOnly) && matchesPath(path, name),
  };
}

/** Spaces at the end do not count unless a backslash stands before them; tabs always count. */
function trimTrailingSpaces(line: string): string {
  let keep = 0;
  for (let index = 0; index < line.length; index++) {
    if (line[index] === ' ') continue;
    if (line[index] === '\\') index++;
    keep = index + 1;
  }
  return line.slice(0, keep);
}

/** A pattern without a slash speaks of names in any folder, one with a slash of paths from the rule's folder. */
function compilePattern(pattern: string, ignoreCase: boolean): (path: string, name: string) => boolean {
  if (!pattern.includes('/')) {
    const covers = compileText(pattern, ignoreCase);
    return (_path, name) => covers(name);
  }
  const covers = compileText(pattern.replace(/^\//, ''), ignoreCase);
  return (path) => covers(path);
}

/**
 * Git compares the text before the first special character on its own and hands the rest to its wildcard matcher,
 * for which the rest then starts the pattern: so `lib**` before a slash spans folders although it fills no segment.
 */
function compileText(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const fold = ignoreCase ? foldCase : (text: string) => text;
  const special = pattern.search(/[*?[\\]/);
  if (special < 0) {
    const literal = fold(pattern);
    return (text) => fold(text) === literal;
  }
  const literal = fold(pattern.slice(0, special));
  const rest = pattern.slice(special);
  const ending = fold(rest.slice(1));
  if (literal === '' && rest.startsWith('*') && !/[*?[\\/]/.test(ending)) {
    return (name) => fold(name).endsWith(ending) && !name.includes('/');
  }
  const covers = compileWildcard(rest, ignoreCase);
  return (text) => fold(text.slice(0, literal.length)) === literal && covers(text.slice(literal.length));
}
