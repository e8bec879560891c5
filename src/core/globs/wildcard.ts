import { byteClassSize, parseByteClass } from './byte-class.ts';

/** A compiled wildcard: whether it covers the whole of a text, in git of its bytes (see `asBytes`). */
export type Wildcard = (bytes: string) => boolean;

type Token =
  | { readonly kind: 'byte'; readonly code: number }
  /** One byte of a set; `?` is the set of all bytes, or all characters, but `/`. */
  | { readonly kind: 'set'; readonly members: Uint8Array }
  /** Any run of bytes within one path segment. */
  | { readonly kind: 'star' }
  /** Any run of bytes, slashes included. */
  | { readonly kind: 'globstar' }
  /** Nothing, or any run of bytes that ends in a slash. */
  | { readonly kind: 'folders' };

const slash = 0x2f;
const backslash = 0x5c;
const asterisk = 0x2a;

/**
 * The UTF-8 bytes of a text, one character each. Git compares bytes, so `?` covers half of an `é`;
 * this form lets plain string functions do the same.
 */
export function asBytes(text: string): string {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

/**
 * Compiles a wildcard as git reads it in ignore files; a malformed one covers nothing, as in git. Given texts that are not
 * bytes, a `?` covers a whole character.
 */
export function compileWildcard(pattern: string, ignoreCase: boolean): Wildcard {
  const tokens = tokenize(pattern, ignoreCase);
  if (!tokens) return () => false;
  const runs = plainRuns(tokens);
  const needed = runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
  // Searching for plain text first is far faster than `covers`.
  const end = tokens.at(-1)?.kind === 'byte' ? (runs.at(-1) ?? '') : '';
  const matches: Wildcard = (text) => text.endsWith(end) && text.includes(needed) && covers(tokens, text);
  return ignoreCase ? (text) => matches(foldCase(text)) : matches;
}

/**
 * A regular expression for the same texts, in the syntax that JavaScript and PostgreSQL share; undefined for a wildcard
 * that covers nothing. Beyond the basic plane a `?` may count differently: there the runtimes disagree on characters.
 */
export function wildcardExpression(pattern: string): string | undefined {
  return tokenize(pattern, false)
    ?.map((token) => {
      if (token.kind === 'byte') return escapedUnit(token.code);
      if (token.kind === 'star') return '[^/]*';
      if (token.kind === 'set') return setExpression(token.members);
      return token.kind === 'globstar' ? '(?:.|\\n)*' : '(?:(?:.|\\n)*/)?';
    })
    .join('');
}

function setExpression(members: Uint8Array): string {
  const isOpen = members[byteClassSize - 1] === 1;
  const listed = [...members.subarray(0, byteClassSize - 1).keys()].filter(
    (code) => code > 0 && (members[code] === 1) !== isOpen,
  );
  if (listed.length === 0) return isOpen ? '(?:.|\\n)' : '(?!)';
  return `[${isOpen ? '^' : ''}${listed.map(escapedUnit).join('')}]`;
}

function escapedUnit(code: number): string {
  return /[\w/]/.test(String.fromCharCode(code))
    ? String.fromCharCode(code)
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The plain texts that every match contains, in order. */
function plainRuns(tokens: readonly Token[]): string[] {
  const runs = [''];
  for (const token of tokens) {
    if (token.kind !== 'byte') runs.push('');
    else runs.push(runs.pop() + String.fromCharCode(token.code));
  }
  return runs.filter((run) => run !== '');
}

/** Lower case for ASCII letters only: git folds no others. */
export function foldCase(bytes: string): string {
  return bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function tokenize(pattern: string, ignoreCase: boolean): Token[] | undefined {
  const tokens: Token[] = [];
  let index = 0;
  while (index < pattern.length) {
    const character = pattern[index];
    if (character === '*') {
      index = pushStars(pattern, index, tokens);
    } else if (character === '?') {
      tokens.push({ kind: 'set', members: allButSlash });
      index++;
    } else if (character === '[') {
      const parsed = parseByteClass(pattern, index, ignoreCase);
      if (!parsed) return undefined;
      tokens.push({ kind: 'set', members: parsed.members });
      index = parsed.end;
    } else {
      if (character === '\\') index++;
      if (index >= pattern.length) return undefined;
      const code = pattern.charCodeAt(index);
      tokens.push({ kind: 'byte', code: ignoreCase && code >= 0x41 && code <= 0x5a ? code + 0x20 : code });
      index++;
    }
  }
  return tokens;
}

const allButSlash = new Uint8Array(byteClassSize).fill(1);
allButSlash[slash] = 0;

/** `**` spans folders only where it fills a whole segment; elsewhere any number of asterisks is one. */
function pushStars(pattern: string, start: number, tokens: Token[]): number {
  let end = start;
  while (pattern.charCodeAt(end) === asterisk) end++;
  const opensSegment = start === 0 || pattern.charCodeAt(start - 1) === slash;
  const next = pattern.charCodeAt(end);
  const closesSegment = end === pattern.length || next === slash || startsEscapedSlash(pattern, end);
  if (end - start === 1 || !opensSegment || !closesSegment) {
    tokens.push({ kind: 'star' });
    return end;
  }
  if (next !== slash) {
    tokens.push({ kind: 'globstar' });
    return end;
  }
  tokens.push({ kind: 'folders' });
  return end + 1;
}

function startsEscapedSlash(pattern: string, index: number): boolean {
  return pattern.charCodeAt(index) === backslash && pattern.charCodeAt(index + 1) === slash;
}

/** Where to resume after a mismatch: the token after the last star, and how much that star has taken. */
interface Retry {
  readonly token: number;
  text: number;
}

/**
 * Backtracks to the last star of each kind only, which is enough because an earlier star can take nothing that a
 * later one could not; so a hostile pattern of many stars costs polynomial, not exponential, time.
 */
function covers(tokens: readonly Token[], text: string): boolean {
  let token = 0;
  let position = 0;
  let star: Retry | undefined;
  let wide: (Retry & { readonly wholeFolders: boolean }) | undefined;
  for (;;) {
    const current = tokens[token];
    if (current === undefined && position === text.length) return true;
    if (current?.kind === 'star') {
      token++;
      star = { token, text: position };
      continue;
    }
    if (current?.kind === 'globstar' || current?.kind === 'folders') {
      token++;
      wide = { token, text: position, wholeFolders: current.kind === 'folders' };
      star = undefined;
      continue;
    }
    if (current !== undefined && position < text.length && accepts(current, text.charCodeAt(position))) {
      token++;
      position++;
      continue;
    }
    if (star && star.text < text.length && text.charCodeAt(star.text) !== slash) {
      star.text++;
      token = star.token;
      position = star.text;
    } else if (wide && advance(wide, text)) {
      star = undefined;
      token = wide.token;
      position = wide.text;
    } else return false;
  }
}

function accepts(token: Token, code: number): boolean {
  if (token.kind === 'byte') return token.code === code;
  return token.kind === 'set' && token.members[Math.min(code, byteClassSize - 1)] === 1;
}

function advance(wide: Retry & { readonly wholeFolders: boolean }, text: string): boolean {
  const next = wide.wholeFolders ? text.indexOf('/', wide.text) + 1 : wide.text + 1;
  if (next === 0 || next > text.length) return false;
  wide.text = next;
  return true;
}
