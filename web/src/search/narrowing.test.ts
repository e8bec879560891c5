import { expect, test } from 'vitest';
import { begunIn, meantBy, withoutNarrowing } from './narrowing.ts';
import { questionIn } from './questions.ts';

const asked = (query: string, more = {}) => ({ ...questionIn(new URLSearchParams()), query, ...more });
const meant = (query: string) =>
  Object.fromEntries(Object.entries(meantBy(asked(query))).filter(([, value]) => value !== ''));

test('what narrows down is typed by the names that people know', () => {
  expect(meant('lang:ts boat in:src/')).toEqual({ query: 'boat', language: 'typescript', in: 'src' });
  expect(meant('kind:mails from:"Anna Weber" when?')).toEqual({
    query: 'when?',
    type: 'email',
    author: 'Anna Weber',
  });
  expect(meant('Tag:crew since:7d')).toEqual({ tag: 'crew', since: '7d' });
  expect(meant('boat path:docs/**')).toEqual({ query: 'boat', path: 'docs/**' });
  // What is typed last holds.
  expect(meant('in:a in:b')).toEqual({ in: 'b' });
});

test('a folder, a file or a glob is left out by a minus before it', () => {
  expect(meant('boat -in:test/')).toEqual({ query: 'boat', path: '!test/**' });
  expect(meant('boat -in:src/a.ts -path:*.md')).toEqual({
    query: 'boat',
    path: '!src/a.ts/** !src/a.ts !*.md',
  });
  expect(meant('boat path:src/** -in:src/old in:src')).toEqual({
    query: 'boat',
    in: 'src',
    path: 'src/** !src/old/** !src/old',
  });
  // What is set in its field stays.
  expect(meantBy(asked('boat -in:test', { path: '*.ts' })).path).toBe('*.ts !test/**');
  // One whose value is still to come leaves nothing out, and what globs cannot say is looked for as it is.
  expect(meant('boat -in:')).toEqual({ query: 'boat' });
  for (const text of ['-lang:go', '-tag:crew', '-in:"two words"', 'x -from:Anna'])
    expect(meant(text), text).toEqual({ query: text });
  expect(withoutNarrowing('boat in:docs -in:test', ['path'])).toBe('boat in:docs');
  expect(withoutNarrowing('boat in:docs -in:test', ['in'])).toBe('boat -in:test');
});

test('while a value is typed that has its end still to come, nothing is narrowed down by it', () => {
  for (const begun of ['lang:', 'lang:typ', 'kind:em', 'since:2026-01', 'since:7', 'from:'])
    expect(meant(`boat ${begun}`), begun).toEqual({ query: 'boat' });
  expect(meant('boat from:"Anna We')).toEqual({ query: 'boat', author: 'Anna We' });
  expect(begunIn('boat lang:')).toBe('language');
  expect(begunIn('boat lang:t')).toBeUndefined();
  expect(begunIn('boat constructor:')).toBeUndefined();
});

test('a text with a colon that narrows nothing down is looked for as it is', () => {
  for (const text of [
    'kind:string x',
    'lang:klingon x',
    'error: no',
    'in: the',
    '"lang:go"',
    'since:noon x',
    'a:b',
  ])
    expect(meant(text), text).toEqual({ query: text });
  const literal = asked('lang:go', { route: 'exact' });
  expect(meantBy(literal)).toBe(literal);
  const plain = asked('boat');
  expect(meantBy(plain)).toBe(plain);
});

test('what is chosen elsewhere takes the place of what was typed', () => {
  expect(withoutNarrowing('lang:go boat from:"Anna Weber" x', ['language', 'author'])).toBe('boat x');
  expect(withoutNarrowing('lang:go boat', ['query'])).toBe('lang:go boat');
});
