/** A bracket expression of a wildcard: the bytes it covers (1 or 0 for each), and where the pattern continues. */
export interface ByteClass {
  readonly members: Uint8Array;
  /** Index of the character after the closing bracket. */
  readonly end: number;
}

const slash = 0x2f;

/** Entries of a class: one for each byte, and one for all characters beyond. */
export const byteClassSize = 257;

type ByteTest = (code: number) => boolean;

const between =
  (low: string, high: string): ByteTest =>
  (code) =>
    code >= low.charCodeAt(0) && code <= high.charCodeAt(0);
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isGraphic = between('!', '~');
const isAlphabetic: ByteTest = (code) => isLower(code) || isUpper(code);

// White space as git counts it: no vertical tab, no form feed.
const isSpace: ByteTest = (code) => code === 32 || code === 9 || code === 10 || code === 13;

const namedClasses: Readonly<Record<string, ByteTest>> = {
  alnum: (code) => isAlphabetic(code) || isDigit(code),
  alpha: isAlphabetic,
  blank: (code) => code === 32 || code === 9,
  cntrl: (code) => code < 32 || code === 127,
  digit: isDigit,
  graph: isGraphic,
  lower: isLower,
  print: (code) => code === 32 || isGraphic(code),
  punct: (code) => isGraphic(code) && !isAlphabetic(code) && !isDigit(code),
  space: isSpace,
  upper: isUpper,
  xdigit: (code) => isDigit(code) || between('a', 'f')(code) || between('A', 'F')(code),
};

/**
 * Reads the bracket expression that starts at `start`, or nothing where it is malformed.
 * With `ignoreCase` the text it will meet is in lower case already: ranges and `[:upper:]` allow for that, single
 * members do not, as in git.
 */
export function parseByteClass(pattern: string, start: number, ignoreCase: boolean): ByteClass | undefined {
  const members = new Uint8Array(byteClassSize);
  let index = start + 1;
  const negated = pattern[index] === '!' || pattern[index] === '^';
  if (negated) index++;
  let previous = 0;
  // A bracket right after the opening one is a member, so the end is looked for from the second member on.
  for (let first = true; first || pattern[index] !== ']'; first = false) {
    const member = readMember(pattern, index, previous);
    if (!member) return undefined;
    addMembers(members, member.test, ignoreCase && member.folds);
    previous = member.previous;
    index = member.end;
  }
  if (negated) for (let code = 0; code < byteClassSize; code++) members[code] = members[code] ? 0 : 1;
  members[slash] = 0;
  return { members, end: index + 1 };
}

interface Member {
  readonly test: ByteTest;
  /** Whether a lower-case letter also counts by its upper-case form where case is ignored. */
  readonly folds: boolean;
  /** What a following `-` would start its range from; 0 where it cannot start one. */
  readonly previous: number;
  readonly end: number;
}

function readMember(pattern: string, index: number, previous: number): Member | undefined {
  const character = pattern[index];
  if (character === undefined) return undefined;
  const next = pattern[index + 1];
  if (character === '-' && previous !== 0 && next !== undefined && next !== ']') {
    const last = readByte(pattern, index + 1);
    if (!last) return undefined;
    const test: ByteTest = (code) => code >= previous && code <= last.code;
    return { test, folds: true, previous: 0, end: last.end };
  }
  if (character === '[' && next === ':') return readNamedClass(pattern, index);
  const single = readByte(pattern, index);
  return (
    single && { test: (code) => code === single.code, folds: false, previous: single.code, end: single.end }
  );
}

function readByte(pattern: string, index: number): { code: number; end: number } | undefined {
  const at = pattern[index] === '\\' ? index + 1 : index;
  return at < pattern.length ? { code: pattern.charCodeAt(at), end: at + 1 } : undefined;
}

function readNamedClass(pattern: string, index: number): Member | undefined {
  const close = pattern.indexOf(']', index + 2);
  if (close < 0) return undefined;
  if (close === index + 2 || pattern[close - 1] !== ':') {
    const bracket = pattern.charCodeAt(index);
    return { test: (code) => code === bracket, folds: false, previous: bracket, end: index + 1 };
  }
  const name = pattern.slice(index + 2, close - 1);
  const test = Object.hasOwn(namedClasses, name) ? namedClasses[name] : undefined;
  return test && { test, folds: name === 'upper', previous: 0, end: close + 1 };
}

function addMembers(members: Uint8Array, test: ByteTest, folds: boolean): void {
  for (let code = 0; code < 256; code++) {
    if (test(code) || (folds && isLower(code) && test(code - 32))) members[code] = 1;
  }
}
