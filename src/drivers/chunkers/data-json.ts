import type { DataChild, Divide } from './data-sections.ts';

const maxKeyLength = 80;

/**
 * The members of the first object or array in a range, each with the comma after it; the brackets go with the
 * first and the last. Comments, single quotes and bare keys are understood. Depth is a counter, so that no nesting
 * is too deep.
 */
export const jsonChildren: Divide = (text, range) => {
  const children: DataChild[] = [];
  let start = range.start;
  let depth = 0;
  let object = false;
  let key: string | undefined;
  let value: number | undefined;
  const close = (end: number): void => {
    const before = children.at(-1);
    // After a trailing comma only the bracket is left.
    if (before && /^[\s\]},]*$/.test(text.slice(start, Math.min(end, start + 200)))) {
      children[children.length - 1] = { ...before, end };
    } else children.push({ start, end, name: key ?? (object ? '' : children.length), value });
    start = end;
    key = undefined;
    value = undefined;
  };
  for (let at = range.value ?? range.start; at < range.end; ) {
    const next = tokenEnd(text, at, range.end);
    const character = text[at] ?? '';
    if (depth === 1 && value === undefined && (object ? character === ':' : !/[\s\],]/.test(character)))
      value = object ? next : at;
    if (character === '{' || character === '[') {
      if (depth === 0) object = character === '{';
      depth += 1;
    } else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 1) close(next);
    else if (depth === 1 && object && key === undefined && /["'\w$]/.test(character))
      key = keyOf(text, at, next);
    at = next;
  }
  close(range.end);
  return children.length > 1 || children[0]?.name !== '' ? children : [];
};

/** Why a text is not JSON, with the line; undefined where all brackets and strings close. */
export function jsonDamage(text: string): string | undefined {
  const open: string[] = [];
  let values = 0;
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? '';
    const next = tokenEnd(text, at, text.length);
    if (open.length === 0 && /[^\s,/]/.test(character)) values += 1;
    if (values > 1) return `text after the end in line ${lineOf(text, at)}`;
    if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    else if (character === '}' || character === ']') {
      if (open.pop() !== character) return `unexpected ${character} in line ${lineOf(text, at)}`;
    } else if ((character === '"' || character === "'") && (next - at < 2 || text[next - 1] !== character)) {
      return `string without end in line ${lineOf(text, at)}`;
    }
    at = next;
  }
  return open.length > 0 ? `${open.length} brackets without end` : undefined;
}

/** The offset after the string, comment, word or single character that begins at `at`. */
function tokenEnd(text: string, at: number, end: number): number {
  const character = text[at];
  if (character === '"' || character === "'") return stringEnd(text, at, end);
  if (character === '/' && text[at + 1] === '/') return lineEnd(text, at, end);
  if (character === '/' && text[at + 1] === '*') {
    const close = text.indexOf('*/', at + 2);
    return close < 0 || close + 2 > end ? end : close + 2;
  }
  return isWord(text.charCodeAt(at)) ? wordEnd(text, at, end) : at + 1;
}

/** A string ends at its quote or, being broken, at the end of its line. */
function stringEnd(text: string, at: number, end: number): number {
  const quote = text[at];
  for (let next = at + 1; next < end; next += 1) {
    const character = text[next];
    if (character === '\\') next += text[next + 1] === '\r' && text[next + 2] === '\n' ? 2 : 1;
    else if (character === quote) return next + 1;
    else if (character === '\n') return next;
  }
  return end;
}

function lineEnd(text: string, at: number, end: number): number {
  const newline = text.indexOf('\n', at);
  return newline < 0 || newline > end ? end : newline;
}

function wordEnd(text: string, at: number, end: number): number {
  let next = at + 1;
  while (next < end && isWord(text.charCodeAt(next))) next += 1;
  return next;
}

function isWord(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code === 43 ||
    code === 45 ||
    code === 46 ||
    code > 127
  );
}

function keyOf(text: string, start: number, end: number): string {
  return text
    .slice(start, Math.min(end, start + maxKeyLength))
    .replace(/^["']|["']$/g, '')
    .replace(/\s+/g, ' ');
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
