import { parse } from 'smol-toml';

/** A stretch of a text, from `start` up to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as it is written; an array and an inline table with what stands in them. */
export interface TomlValue extends Span {
  readonly kind: 'plain' | 'array' | 'table';
  readonly entries: readonly TomlEntry[];
}

/** A key with its value, or an element of an array, whose path is empty. */
export interface TomlEntry {
  /** The names of its key, relative to the table that it stands in. */
  readonly path: readonly string[];
  readonly start: number;
  readonly value: TomlValue;
  /** Where the comma behind it is, in an array or inline table. */
  readonly comma?: number;
}

/** A header with the keys below it. The first section has neither header nor path. */
export interface TomlSection {
  readonly path: readonly string[];
  readonly header?: Span;
  readonly entries: readonly TomlEntry[];
}

/** Where everything stands in a TOML text. The text must be valid: callers have parsed it. */
export function scanToml(text: string): TomlSection[] {
  const sections: { path: readonly string[]; header?: Span; entries: TomlEntry[] }[] = [
    { path: [], entries: [] },
  ];
  let at = afterBlank(text, text.startsWith('\ufeff') ? 1 : 0);
  while (at < text.length) {
    if (text[at] === '[') {
      const name = text.startsWith('[[', at) ? at + 2 : at + 1;
      const end = endOfKey(text, name);
      const header = { start: at, end: end + (name - at) };
      sections.push({ path: pathOf(text.slice(name, end)), header, entries: [] });
      at = afterBlank(text, header.end);
    } else {
      const entry = scanPair(text, at);
      sections.at(-1)?.entries.push(entry);
      at = afterBlank(text, entry.value.end);
    }
  }
  return sections;
}

function scanPair(text: string, start: number): TomlEntry {
  const equals = endOfKey(text, start);
  return {
    path: pathOf(text.slice(start, equals)),
    start,
    value: scanValue(text, afterBlank(text, equals + 1)),
  };
}

function scanValue(text: string, start: number): TomlValue {
  const first = text[start];
  if (first === '[') return scanContainer(text, start, 'array');
  if (first === '{') return scanContainer(text, start, 'table');
  if (first === '"' || first === "'")
    return { kind: 'plain', start, end: endOfString(text, start), entries: [] };
  const plain = /[^,\]}#\r\n]*/y;
  plain.lastIndex = start;
  const [written = ''] = plain.exec(text) ?? [];
  return { kind: 'plain', start, end: start + written.trimEnd().length, entries: [] };
}

function scanContainer(text: string, start: number, kind: 'array' | 'table'): TomlValue {
  const entries: TomlEntry[] = [];
  const close = kind === 'array' ? ']' : '}';
  let at = afterBlank(text, start + 1);
  while (at < text.length && text[at] !== close) {
    const entry: TomlEntry =
      kind === 'table' ? scanPair(text, at) : { path: [], start: at, value: scanValue(text, at) };
    at = afterBlank(text, entry.value.end);
    const hasComma = text[at] === ',';
    entries.push(hasComma ? { ...entry, comma: at } : entry);
    if (hasComma) at = afterBlank(text, at + 1);
  }
  return { kind, start, end: at + 1, entries };
}

/** The offset behind spaces, line ends and comments. */
function afterBlank(text: string, start: number): number {
  const blank = /(?:[ \t\r\n]|#[^\n]*)*/y;
  blank.lastIndex = start;
  blank.exec(text);
  return blank.lastIndex;
}

/** The offset of what ends a key: the equals sign, or the bracket of a header. */
function endOfKey(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '=' && text[at] !== ']')
    at = text[at] === '"' || text[at] === "'" ? endOfString(text, at) : at + 1;
  return at;
}

const strings = [
  /"""(?:[^\\]|\\.)*?"{3,5}(?!")/sy,
  /'''.*?'{3,5}(?!')/sy,
  /"(?:[^"\\\n]|\\.)*"/y,
  /'[^'\n]*'/y,
];

function endOfString(text: string, start: number): number {
  for (const string of strings) {
    string.lastIndex = start;
    if (string.test(text)) return string.lastIndex;
  }
  return text.length;
}

/** The names of a key as it is written, `a."b.c"`. */
function pathOf(key: string): string[] {
  const path: string[] = [];
  let table: unknown = parse(`${key.trim()}=0`);
  while (typeof table === 'object' && table !== null) {
    const [name = ''] = Object.keys(table);
    path.push(name);
    table = (table as Record<string, unknown>)[name];
  }
  return path;
}
