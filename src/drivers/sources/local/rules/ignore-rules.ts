import { asBytes, compileWildcard, foldCase } from '../../../../core/globs/wildcard.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  /** Its place, and its text where that may be shown: `docs/.gitignore:3 build/`. */
  readonly label: string;
  /** What it matches, without the signs around it. */
  readonly pattern: string;
  /** A rule that starts with `!` includes again what an earlier one ignored. */
  readonly negated: boolean;
  /** Whether it names something, or is wildcards alone (`*`, `**`, `*` with a slash). */
  readonly specific: boolean;
  /** Whether it ignores upper and lower case. */
  readonly ignoreCase: boolean;
  /** What the name of an entry must be or end in for the rule to match; absent where that is unknown. */
  readonly clue?: Clue | undefined;
  /** Whether it matches this entry; `path` is relative to the folder of the rule, both as bytes. */
  matches(path: string, name: string, isFolder: boolean): boolean;
}

/** What is known of the names that a rule may match, as bytes; a suffix starts with a dot. */
export interface Clue {
  readonly kind: 'name' | 'suffix';
  readonly text: string;
}

/** Reads the lines of an ignore file as git does; `source` names the file in the labels, which hold no text of one that may not be shown. */
export function parseIgnoreFile(
  text: string,
  source: string,
  ignoreCase = false,
  mayShow = true,
): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const label = (written: string) => `${source}:${index + 1}${mayShow ? ` ${written}` : ''}`;
    const rule = parseIgnoreLine(line.replace(/\r$/, ''), ignoreCase, label);
    if (rule) rules.push(rule);
  }
  return rules;
}

/** Reads patterns given one by one in the settings; they are written like the lines of an ignore file. */
export function parseIgnorePatterns(patterns: readonly string[], source: string): IgnoreRule[] {
  return patterns.flatMap((pattern) => parseIgnoreLine(pattern, false, (line) => `${source} ${line}`) ?? []);
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
  const bytes = asBytes(pattern);
  const matchesPath = compilePattern(bytes, ignoreCase);
  return {
    label: label(line),
    pattern,
    negated,
    specific: /[^*?/]/.test(pattern),
    ignoreCase,
    clue: clueOf(bytes),
    matches: (path, name, isFolder) => (isFolder || !foldersOnly) && matchesPath(path, name),
  };
}

/**
 * The last part of a pattern decides which names it matches, if it is plain text or a star before an extension, because no
 * wildcard crosses the slash before it. A backslash or a bracket may hide that slash, and a `lib**` before it
 * swallows it, so that the last part stands right behind `lib`; then nothing is known.
 */
function clueOf(pattern: string): Clue | undefined {
  if (/[[\\]|[^/]\*\*\//.test(pattern)) return undefined;
  const last = pattern.slice(pattern.lastIndexOf('/') + 1);
  if (!/[*?]/.test(last)) return { kind: 'name', text: last };
  return /^\*\.[^*?]+$/.test(last) ? { kind: 'suffix', text: last.slice(1) } : undefined;
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

/** A pattern without a slash matches names in any folder; one with a slash matches paths from the rule's folder. */
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
  if (literal === '' && /^\*[^*?[\\/]+\*$/.test(rest)) {
    const middle = fold(rest.slice(1, -1));
    return (name) => fold(name).includes(middle) && !name.includes('/');
  }
  const covers = compileWildcard(rest, ignoreCase);
  return (text) => fold(text).startsWith(literal) && covers(text.slice(literal.length));
}
