import { QuarryError } from '../errors.ts';
import { beginningOf } from '../text/shortened.ts';

/** Patterns that one glob may stand for. */
const maxPatterns = 200;

/** A part of a glob that stands for one of several texts, and where the glob continues. */
interface Group {
  readonly choices: readonly string[];
  readonly end: number;
}

/**
 * The patterns without groups that a glob stands for. Groups are `{a,b}`, `{1..3}`, `@(a|b)`, `(a|b)` and `?(a|b)`;
 * brackets in folder names, as in `app/(auth)` and `app/[id]`, also stand for themselves.
 */
export function expandGroups(glob: string): string[] {
  return expand(glob, glob);
}

function expand(part: string, whole: string): string[] {
  let patterns = [''];
  for (let at = 0; at < part.length; ) {
    const group = groupAt(part, at, whole);
    const end = group?.end ?? at + (part[at] === '\\' ? 2 : 1);
    const choices = group?.choices ?? [part.slice(at, end)];
    if (patterns.length * choices.length > maxPatterns) throw tooComplex(whole);
    patterns = patterns.flatMap((pattern) => choices.map((choice) => pattern + choice));
    at = end;
  }
  return patterns;
}

function groupAt(part: string, at: number, whole: string): Group | undefined {
  const [first = '', second = ''] = part.slice(at, at + 2);
  if (first === '[') return bracketAt(part, at);
  if (first === '{') return bracesAt(part, at, whole);
  if (second === '(' && '+*!'.includes(first)) throw notSupported(whole, `${first}(`);
  const isOptional = first === '?' && second === '(';
  if (first !== '(' && !(second === '(' && '@?'.includes(first))) return undefined;
  const opening = first === '(' ? at : at + 1;
  const found = choicesAt(part, opening, ')', '|');
  if (!found || (first === '(' && found.choices.length === 1)) return undefined;
  const choices = found.choices.flatMap((choice) => expand(choice, whole));
  return { choices: isOptional ? ['', ...choices] : choices, end: found.end };
}

/** A class of characters; one of plain text may as well be part of a name. */
function bracketAt(part: string, at: number): Group {
  const [text] = /^\[[!^]?\]?(\[:\w+:\]|\\.|[^\]\\])*\]/s.exec(part.slice(at)) ?? [];
  if (text === undefined) return { choices: ['\\['], end: at + 1 };
  if (/[^\0-\xff]/.test(text)) throw notSupported(part, text);
  const isPlain = !/[\\!^:-]/.test(text);
  return { choices: isPlain ? [text, `\\${text}`] : [text], end: at + text.length };
}

function bracesAt(part: string, at: number, whole: string): Group | undefined {
  const found = choicesAt(part, at, '}', ',');
  if (!found) return undefined;
  if (found.choices.length > 1)
    return { ...found, choices: found.choices.flatMap((choice) => expand(choice, whole)) };
  const range = rangeOf(found.choices[0] ?? '', whole);
  return range && { choices: range, end: found.end };
}

/** The choices between an opening character and the closing one that belongs to it. */
function choicesAt(part: string, opening: number, close: string, separator: string): Group | undefined {
  const open = part[opening];
  const choices: string[] = [];
  let depth = 0;
  let start = opening + 1;
  for (let at = opening; at < part.length; at += 1) {
    const character = part[at];
    if (character === '\\') at += 1;
    else if (character === open) depth += 1;
    else if (character === separator && depth === 1) {
      choices.push(part.slice(start, at));
      start = at + 1;
    } else if (character === close) {
      depth -= 1;
      if (depth === 0) return { choices: [...choices, part.slice(start, at)], end: at + 1 };
    }
  }
  return undefined;
}

/** The members of `1..3` or `a..c`; undefined for anything else. */
function rangeOf(text: string, whole: string): string[] | undefined {
  const [, from, to] = /^(-?\d{1,9}|[a-zA-Z])\.\.(-?\d{1,9}|[a-zA-Z])$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isLetters = /[a-z]/i.test(from);
  if (isLetters !== /[a-z]/i.test(to)) return undefined;
  const [low, high] = [from, to].map((end) => (isLetters ? end.charCodeAt(0) : Number(end))) as [
    number,
    number,
  ];
  const count = Math.abs(high - low) + 1;
  if (count > maxPatterns) throw tooComplex(whole);
  const width = /^-?0\d/.test(from) || /^-?0\d/.test(to) ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, step) => {
    const value = low + (high < low ? -step : step);
    return isLetters ? String.fromCharCode(value) : String(value).padStart(width, '0');
  });
}

function tooComplex(glob: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The glob "${beginningOf(glob, 80)}" stands for more than ${maxPatterns} patterns.`,
    'Use a wildcard instead of so many alternatives, or several globs.',
  );
}

function notSupported(glob: string, what: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The glob "${beginningOf(glob, 80)}" holds ${what}, which is not supported.`,
    'Write the alternatives as {a,b}, exclude with a glob that starts with !, or put a backslash before a bracket that is part of a name.',
  );
}
