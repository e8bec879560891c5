import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { editToml } from './edit-toml.ts';

type Table = Record<string, unknown>;
type Path = readonly string[];

/** A key with its value as it stands in a file, by offsets. */
interface Written {
  readonly path: Path;
  readonly isInList: boolean;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

const names = ['a', 'b', 'c', 'd e', 'x.y', 'ü'];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 });
const values = [
  '5',
  '"text # [a]" ',
  "'literal'",
  'true',
  '1979-05-27 07:32:00',
  '"""\n# [a]\nb = "1" \\""""',
  "'''\n[b]\na = 1'''''",
  '[1, 2]',
  '["p", "q"]',
  '[\n  "p", # one\n  # two\n  "q" # three\n]',
  '[ # first\n  "p"\n  # before the comma\n  , "q", "r", # last\n]',
  '[[1], # x\n [2]]',
  '[{ a = 1 }, { a = 2 }]',
  '[]',
  '{ a = 1, b.c = "}" }',
  '{}',
  '{\n  a = 1, # inner\n  # own line\n  b = { c = 2 } # end\n}',
];
const notes = [
  '',
  '# note',
  '#',
  '# [commented]',
  '  ## [commented.too]',
  '#[[tables]]',
  '# a = 1',
  '# """',
  "# '''",
];
const note = fc.constantFrom(...notes);
const entry = fc.record({
  path,
  value: fc.constantFrom(...values),
  indent: fc.constantFrom('', '', '  ', '\t'),
  comment: fc.constantFrom('', '', ' # behind', ' # [behind]'),
  notes: fc.array(note, { maxLength: 3 }),
});
const section = fc.record({
  path,
  kind: fc.constantFrom('table', 'table', 'array'),
  comment: fc.constantFrom('', ' # on the header'),
  notes: fc.array(note, { maxLength: 3 }),
  entries: fc.array(entry, { maxLength: 4 }),
});
const file = fc.record({
  root: fc.array(entry, { maxLength: 3 }),
  sections: fc.array(section, { maxLength: 4 }),
  notes: fc.array(note, { maxLength: 4 }),
  newline: fc.constantFrom('\n', '\n', '\r\n'),
  mark: fc.constantFrom('', '', '\ufeff'),
  isClosed: fc.boolean(),
});

function keyOf(path: Path): string {
  return path.map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))).join('.');
}

/** The text of a file, and where its keys are; keys that would make it invalid are left out. */
function write({
  root,
  sections,
  notes,
  newline,
  mark,
  isClosed,
}: typeof file extends fc.Arbitrary<infer T> ? T : never) {
  let text: string = mark;
  const written: Written[] = [];
  const tryLine = (line: string): boolean => {
    const candidate = text + line.replaceAll('\n', newline);
    try {
      parse(candidate);
    } catch {
      return false;
    }
    text = candidate;
    return true;
  };
  const writeEntries = (table: Path, entries: typeof root, isInList: boolean): void => {
    for (const { path, value, indent, comment, notes } of entries) {
      tryLine(notes.map((line) => `${line}\n`).join(''));
      const line = text.length;
      const head = `${indent}${keyOf(path)} = `;
      if (!tryLine(`${head}${value}${comment}\n`)) continue;
      const start = line + head.length;
      const end = start + value.trimEnd().replaceAll('\n', newline).length;
      written.push({ path: [...table, ...path], isInList, line, start, end, next: text.length });
    }
  };
  writeEntries([], root, false);
  for (const { path, kind, comment, notes, entries } of sections) {
    tryLine(notes.map((line) => `${line}\n`).join(''));
    const header = kind === 'array' ? `[[${keyOf(path)}]]` : `[${keyOf(path)}]`;
    if (tryLine(`${header}${comment}\n`)) writeEntries(path, entries, passesList(parse(text), path));
  }
  tryLine(notes.map((line) => `${line}\n`).join(''));
  if (!isClosed && text.endsWith(newline)) text = text.slice(0, -newline.length);
  return { text, written };
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
const at = (table: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, name) => (isTable(inner) ? inner[name] : undefined), table);
const startsWith = (path: Path, prefix: Path): boolean => prefix.every((name, index) => name === path[index]);
const passesList = (table: Table, path: Path): boolean =>
  path.some((_, index) => {
    const inner = at(table, path.slice(0, index + 1));
    return inner !== undefined && !isTable(inner);
  });

/** A table with one change, and without tables on the way to it that hold nothing. */
function changed(table: Table, [name = '', ...rest]: Path, value: unknown): Table {
  const { [name]: inner, ...others } = table;
  const after = rest.length > 0 ? changed(isTable(inner) ? inner : {}, rest, value) : value;
  const isNothing = after === undefined || (rest.length > 0 && isDeepStrictEqual(after, {}));
  return isNothing ? others : { ...others, [name]: after };
}

/** What was put in and what was taken out, where a text was changed in one place. */
function difference(before: string, after: string): { readonly removed: string; readonly added: string } {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const max = Math.min(before.length, after.length) - start;
  while (end < max && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) };
}

const comments = (text: string): string[] => text.replace('\ufeff', '').match(/^[ \t]*#.*$/gm) ?? [];
const newValue = fc.constantFrom<unknown>(
  undefined,
  undefined,
  7,
  'new "text"\n# [a]',
  true,
  ['q', 's'],
  ['p', 'n', 'q'],
  [],
  {},
  { a: 1, n: ['x'] },
);

describe('any file and any change', () => {
  const change = fc.record({ file, which: fc.nat(), elsewhere: fc.option(path), value: newValue });

  test('the result says what the file said, with exactly that change, and everything else is there byte for byte', () => {
    fc.assert(
      fc.property(change, ({ file, which, elsewhere, value }) => {
        const { text, written } = write(file);
        const before = parse(text);
        const places = written.filter(({ isInList }) => !isInList);
        const target = places[which % Math.max(1, places.length)];
        const path = elsewhere ?? target?.path ?? ['a'];
        const current = at(before, path);
        const after = editToml(text, path, value);
        if (after === undefined) {
          // Something inside of a list or a plain value.
          expect(passesList(before, path.slice(0, -1))).toBe(true);
          return;
        }
        expect(changed(parse(after), path, at(parse(after), path))).toEqual(changed(before, path, value));
        const place = places.find((one) => isDeepStrictEqual(one.path, path));
        const { removed, added } = difference(text, after);
        if (isDeepStrictEqual(current, value)) expect(after).toBe(text);
        else if (place && value === undefined)
          expect(after).toBe(text.slice(0, place.line) + text.slice(place.next));
        else if (place && !(isTable(current) && isTable(value)) && !Array.isArray(current)) {
          const rest = text.length - place.end;
          expect(after.slice(0, place.start)).toBe(text.slice(0, place.start));
          expect(after.slice(after.length - rest)).toBe(text.slice(place.end));
        } else if (current === undefined && !places.some((one) => startsWith(path, one.path))) {
          expect(removed).toBe('');
          expect(comments(added)).toEqual([]);
        }
        // A comment on a line of its own is never lost, also inside of a list, unless it was in a value that is gone.
        const isKept = place && Array.isArray(current) && Array.isArray(value);
        const gone = isKept ? [] : written.filter((one) => startsWith(one.path, path)).reverse();
        const outside = gone.reduce<string>(
          (rest, { line, next }) => rest.slice(0, line) + rest.slice(next),
          text,
        );
        const left = comments(after);
        for (const comment of comments(outside)) {
          expect(left).toContain(comment);
          left.splice(0, left.indexOf(comment) + 1);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a key that was added stays what it is when commented headers are brought back', () => {
    fc.assert(
      fc.property(change, ({ file, elsewhere, value }) => {
        const { text, written } = write(file);
        const path = elsewhere ?? ['a'];
        const after = value === undefined ? undefined : editToml(text, path, value);
        if (after === undefined || at(parse(text), path) !== undefined) return;
        // Inside of an inline table it goes where that goes.
        if (written.some((one) => startsWith(path, one.path))) return;
        const back = after.replaceAll(/^[ \t]*#[# \t]*\[+[a-z.]+\]+/gm, (_, offset) => `[back-${offset}]`);
        expect(at(parse(back), path)).toEqual(value);
      }),
      { numRuns: 200 },
    );
  });
});
