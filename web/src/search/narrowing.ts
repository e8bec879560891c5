import type { FilterName, Question } from './questions.ts';

/** What may stand before a colon, as people know it from elsewhere. */
const filters: Readonly<Record<string, FilterName>> = {
  kind: 'type',
  type: 'type',
  in: 'in',
  folder: 'in',
  path: 'path',
  file: 'path',
  lang: 'language',
  language: 'language',
  from: 'author',
  by: 'author',
  author: 'author',
  tag: 'tag',
  since: 'since',
  after: 'since',
};

/** Values by the names that people have for them; those that are called what they are have no other one. */
type Values = Readonly<Record<string, string | undefined>>;

const named = (names: string): Values =>
  Object.fromEntries(names.split(' ').map((name) => [name, undefined]));
const kinds: Values = {
  ...named(
    'adr book code commit contact conversation data doc email event image log note prompt sheet slides',
  ),
  chat: 'conversation',
  mail: 'email',
  picture: 'image',
  slide: 'slides',
  table: 'sheet',
};
const languages: Values = {
  ...named(
    'bash c cpp csharp dart elixir go haskell hcl java javascript julia kotlin lua make nix objc perl php python r ruby rust scala swift tsx typescript zig',
  ),
  'c#': 'csharp',
  'c++': 'cpp',
  cs: 'csharp',
  golang: 'go',
  js: 'javascript',
  kt: 'kotlin',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  ts: 'typescript',
};
const times = named('today yesterday');

/** A word with its value, at the beginning or after a space: what stands in quotes is text that is looked for. */
const narrowing = new RegExp(
  String.raw`(^|\s)(-?)(${Object.keys(filters).join('|')}):(?:"([^"]*)"?|([^\s"]\S*))?(?=\s|$)`,
  'giu',
);

/** What a text that is typed means: the words that are looked for, and what narrows them down (`lang:go from:"Anna Weber" -in:test`). */
export function meantBy(typed: Question): Question {
  // A text that is looked for as it is has no words of ours.
  if (typed.route === 'exact' || typed.route === 'regex') return typed;
  const found: Partial<Record<FilterName, string>> = {};
  const excluded: string[] = [];
  const query = typed.query.replace(narrowing, (whole, _, minus, name, quoted, plain, at) => {
    const filter = filters[name.toLowerCase()];
    const isLast = at + whole.length === typed.query.length;
    const written = quoted ?? plain ?? '';
    if (minus !== '') {
      const globs = written === '' && isLast ? [] : globsWithout(filter, written);
      excluded.push(...(globs ?? []));
      return globs ? '' : whole;
    }
    const value = filter && (written !== '' || isLast) ? valueFor(filter, written, isLast) : undefined;
    if (filter === undefined || value === undefined) return whole;
    if (value !== '') found[filter] = value;
    return '';
  });
  if (query === typed.query) return typed;
  const path = [found.path ?? typed.path, ...excluded].filter((glob) => glob !== '').join(' ');
  return { ...typed, ...found, path, query: query.trim() };
}

/** The globs that leave out a folder, a file or a glob; undefined where that cannot be said by globs. */
function globsWithout(filter: FilterName | undefined, written: string): string[] | undefined {
  // Globs are a list of words.
  if (written === '' || /[\s,!]/.test(written)) return undefined;
  if (filter === 'path') return [`!${written}`];
  if (filter !== 'in') return undefined;
  const name = written.replace(/(?<=.)\/$/, '');
  // A name alone is a folder at the top, and a file of that name wherever it is.
  return [`!${name}/**`, ...(/[./]/.test(name) ? [`!${name}`] : [])];
}

/** A text that is typed without what narrows it down by one of these. */
export function withoutNarrowing(text: string, gone: readonly string[]): string {
  return text
    .replace(narrowing, (whole, _, minus, name) => {
      const filter = filters[name.toLowerCase()] ?? '';
      // What is left out is a part of the filter of paths.
      return gone.includes(minus !== '' && filter === 'in' ? 'path' : filter) ? '' : whole;
    })
    .trimStart();
}

/** What the reader has begun to narrow down by and not said yet: `lang:` at the end. */
export function begunIn(text: string): FilterName | undefined {
  const name = /(?:^|\s)(\w+):"?$/u.exec(text)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(filters, name) ? filters[name] : undefined;
}

/** A value as the filter takes it; undefined where it is none, and the text means itself (`type:string`), and empty for one that is not typed to its end. */
function valueFor(filter: FilterName, written: string, isLast: boolean): string | undefined {
  const word = written.toLowerCase();
  const known = { type: kinds, language: languages, since: times }[filter as string];
  if (known === undefined || word === '')
    // The slash that people end a folder with is not part of its name.
    return filter === 'in' ? written.replace(/(?<=.)\/$/, '') : written;
  if (filter === 'since' && /^(?:\d+[hdwmy]|\d{4}-\d\d-\d\d)$/.test(word)) return word;
  for (const name of [word, word.replace(/s$/, '')])
    if (Object.hasOwn(known, name)) return known[name] ?? name;
  const isBegun = filter === 'since' ? /^[\d-]+$/.test(word) : false;
  return isLast && (isBegun || Object.keys(known).some((name) => name.startsWith(word))) ? '' : undefined;
}
