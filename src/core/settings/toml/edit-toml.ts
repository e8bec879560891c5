import { isDeepStrictEqual } from 'node:util';
import { parse, stringify, TomlError } from 'smol-toml';
import { indentOf, lineEnd, lineStart, newlineOf, splice } from '../../text/text-lines.ts';
import { insertEntry, removeEntry } from './edit-container.ts';
import { type Span, scanToml, type TomlEntry, type TomlSection, type TomlValue } from './scan-toml.ts';

type Table = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/**
 * A TOML text with one value changed, added or, where it is undefined, taken out. Everything else stays byte for byte,
 * comments included, but for the one behind a value that is taken out. Undefined where the change cannot be made so.
 */
export function editToml(text: string, path: Path, value: unknown): string | undefined {
  try {
    const edited = edit(text, path, value);
    return isDeepStrictEqual(meaning(edited, path), meaning(text, path, value)) ? edited : undefined;
  } catch (thrown) {
    // A table that is written in a way that nothing can be added to.
    if (thrown instanceof TomlError) return undefined;
    throw thrown;
  }
}

function edit(text: string, path: Path, value: unknown): string {
  const current = valueAt(read(text), path);
  if (isDeepStrictEqual(current, value)) return text;
  if (value === undefined) return remove(text, path);
  if (isTable(current) && isTable(value)) {
    const names = new Set([...Object.keys(current), ...Object.keys(value)]);
    const edited = [...names].reduce((inner, name) => edit(inner, [...path, name], own(value, name)), text);
    // A table without a header is gone with its last key.
    return names.size > 0 && valueAt(read(edited), path) === undefined ? add(edited, path, {}) : edited;
  }
  const place = find(text, path);
  if (!place) return add(remove(text, path), path, value);
  if (Array.isArray(current) && Array.isArray(value) && text.slice(place.start, place.end).includes('\n'))
    return editArray(text, path, current, value);
  return splice(text, place.start, place.end, write(value));
}

/** The value of a path, where it is written as one. */
function find(text: string, path: Path): TomlValue | undefined {
  const search = (entries: readonly TomlEntry[], rest: Path): TomlValue | undefined => {
    for (const entry of entries.filter((entry) => startsWith(rest, entry.path))) {
      if (entry.path.length === rest.length) return entry.value;
      const inner = search(
        entry.value.kind === 'table' ? entry.value.entries : [],
        rest.slice(entry.path.length),
      );
      if (inner) return inner;
    }
    return undefined;
  };
  for (const section of scanToml(text).filter((section) => startsWith(path, section.path))) {
    const found = search(section.entries, path.slice(section.path.length));
    if (found) return found;
  }
  return undefined;
}

/** Elements that stay keep their lines and comments. */
function editArray(text: string, path: Path, current: readonly unknown[], value: readonly unknown[]): string {
  let edited = text;
  const change = (make: (array: TomlValue) => string): void => {
    const array = find(edited, path);
    if (array) edited = make(array);
  };
  let end: readonly [number, number] = [current.length, value.length];
  // From the back, so that what is yet to be changed keeps its place.
  for (const [from, to] of [...commonElements(current, value).reverse(), [-1, -1] as const]) {
    const replaced = Math.min(end[0] - from, end[1] - to) - 1;
    for (let index = end[0] - 1; index > from + replaced; index -= 1)
      change((array) => removeEntry(edited, array, index));
    for (let index = end[1] - 1; index > to + replaced; index -= 1)
      change((array) => insertEntry(edited, array, from + replaced + 1, write(value[index])));
    for (let index = replaced; index > 0; index -= 1)
      change(({ entries }) => {
        const element = entries[from + index]?.value;
        return element ? splice(edited, element.start, element.end, write(value[to + index])) : edited;
      });
    end = [from, to];
  }
  return edited;
}

/** Indexes of the elements that two lists have in common, in order. */
function commonElements(one: readonly unknown[], other: readonly unknown[]): [number, number][] {
  const lengths: number[][] = [];
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row -= 1) {
    const line: number[] = [];
    lengths[row] = line;
    for (let column = other.length - 1; column >= 0; column -= 1)
      line[column] = isDeepStrictEqual(one[row], other[column])
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
  }
  const common: [number, number][] = [];
  for (let row = 0, column = 0; at(row, column) > 0; ) {
    if (at(row + 1, column) === at(row, column)) row += 1;
    else if (at(row, column + 1) === at(row, column)) column += 1;
    else common.push([row++, column++]);
  }
  return common;
}

/** Without the keys at or below a path, wherever they are written. */
function remove(text: string, path: Path): string {
  const holder = (entries: readonly TomlEntry[], rest: Path): [TomlValue, number] | undefined => {
    for (const { path: own, value } of entries) {
      if (value.kind !== 'table' || !startsWith(rest, own) || own.length === rest.length) continue;
      const inner = rest.slice(own.length);
      const index = value.entries.findIndex((entry) => startsWith(entry.path, inner));
      const found = index < 0 ? holder(value.entries, inner) : ([value, index] satisfies [TomlValue, number]);
      if (found) return found;
    }
    return undefined;
  };
  for (const { path: own, header, entries } of scanToml(text).reverse()) {
    const isBelow = startsWith(own, path);
    if (!isBelow && !startsWith(path, own)) continue;
    const rest = path.slice(own.length);
    const entry = entries.findLast((entry) => startsWith(entry.path, rest));
    const lines = entry ? { start: entry.start, end: entry.value.end } : isBelow ? header : undefined;
    if (lines) return remove(splice(text, lineStart(text, lines.start), lineEnd(text, lines.end)), path);
    const inline = holder(entries, rest);
    if (inline) return remove(removeEntry(text, ...inline), path);
  }
  return text;
}

/** With a key that the text does not have yet, in the table that it belongs to. */
function add(text: string, path: Path, value: unknown): string {
  const parent = path.slice(0, -1);
  const sections = scanToml(text);
  const line = (from: number): string => `${path.slice(from).map(writeName).join('.')} = ${write(value)}`;
  const inline = parent
    .map((_, index) => [index + 1, find(text, path.slice(0, index + 1))] as const)
    .findLast(([, place]) => place?.kind === 'table');
  if (inline?.[1]) {
    const [depth, table] = inline;
    return insertEntry(text, table, table.entries.length, line(depth));
  }
  const homes = sections
    .filter((section) => startsWith(parent, section.path))
    .map((section) => ({ section, depth: depthIn(section, parent) }));
  const home = homes.reduce<(typeof homes)[number] | undefined>(
    (best, one) => (best && best.depth >= one.depth ? best : one),
    undefined,
  );
  if (home && (home.depth === parent.length || home.depth > home.section.path.length))
    return addLine(text, sections, home.section, line(home.section.path.length));
  const newline = newlineOf(text);
  const end = text.trim() === '' || text.endsWith('\n') ? '' : newline;
  const gap = text.trim() === '' || /\n\r?\n$/.test(text) ? '' : newline;
  return `${text}${end}${gap}[${parent.map(writeName).join('.')}]${newline}${line(parent.length)}${newline}`;
}

/** How many names of a path are tables that the section defines, by its header and by dotted keys. */
function depthIn({ path, entries }: TomlSection, parent: Path): number {
  const shared = entries.map((entry) => {
    const tables = [...path, ...entry.path.slice(0, -1)];
    const differs = tables.findIndex((name, index) => name !== parent[index]);
    return differs < 0 ? tables.length : differs;
  });
  return Math.max(path.length, ...shared);
}

/** A header that somebody may bring back by removing the mark of a comment. */
const commentedHeader = /^[ \t]*#[# \t]*\[/m;

/** A line of its own in a section: behind its last key, but above commented headers, which would take it over one day. */
function addLine(text: string, sections: readonly TomlSection[], section: TomlSection, line: string): string {
  const newline = newlineOf(text);
  let end = section.header?.end;
  let indent = '';
  for (const { start, value } of section.entries) {
    if (commentedHeader.test(text.slice(end === undefined ? 0 : lineEnd(text, end), start))) break;
    end = value.end;
    indent = indentOf(text, start);
  }
  if (end !== undefined) {
    const at = lineEnd(text, end);
    const isClosed = text[at - 1] === '\n';
    return splice(text, at, at, isClosed ? indent + line + newline : newline + indent + line);
  }
  return addFirstLine(text, sections[1]?.header, line);
}

/** A line above all headers, commented ones and the comments on top of them. */
function addFirstLine(text: string, header: Span | undefined, line: string): string {
  const newline = newlineOf(text);
  const start = lineStart(text, 0);
  const head = text.slice(start, header ? lineStart(text, header.start) : text.length);
  const commented = commentedHeader.exec(head);
  if (!commented && !header) {
    const isClosed = head === '' || head.endsWith('\n');
    return `${text}${isClosed ? '' : newline}${line}${isClosed ? newline : ''}`;
  }
  const above = head.slice(0, commented?.index ?? head.length);
  const at = start + lastComments(above);
  return splice(text, at, at, `${line}${newline}${newline}`);
}

/** Where the lines of comments at the end of a text begin. */
function lastComments(text: string): number {
  let at = text.length;
  while (text[at - 1] === '\n') {
    const line = text.lastIndexOf('\n', at - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(line, at))) break;
    at = line;
  }
  return at;
}

/** A value on one line. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (!isTable(value)) return stringify({ v: value }).slice('v = '.length).trimEnd();
  const entries = Object.entries(value).map(([name, inner]) => `${writeName(name)} = ${write(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

function writeName(name: string): string {
  return stringify({ [name]: 0 }).slice(0, -' = 0\n'.length);
}

/** What a text says, as plain objects. */
function read(text: string): unknown {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isTable(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
  };
  return plain(parse(text));
}

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function own(table: unknown, name: string): unknown {
  return isTable(table) && Object.hasOwn(table, name) ? table[name] : undefined;
}

function valueAt(table: unknown, path: Path): unknown {
  return path.reduce(own, table);
}

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((name, index) => name === path[index]);
}

/** What a text says, with a change where one is given. Tables above it that hold nothing else say nothing. */
function meaning(text: string, path: Path, ...change: readonly unknown[]): unknown {
  const changed = (table: unknown, [name = '', ...rest]: Path): Table => {
    const entries = new Map(isTable(table) ? Object.entries(table) : []);
    const inner = entries.get(name);
    const value = rest.length > 0 ? changed(inner, rest) : change.length > 0 ? change[0] : inner;
    const isEmpty = rest.length > 0 && isDeepStrictEqual(value, {});
    if (value === undefined || isEmpty) entries.delete(name);
    else entries.set(name, value);
    return Object.fromEntries(entries);
  };
  return changed(read(text), path);
}
