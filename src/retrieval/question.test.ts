import { describe, expect, test } from 'vitest';
import { readQuestion } from './question.ts';

describe('the kind of a question', () => {
  test.each([
    ['putDocument', 'symbol'],
    ['response', 'symbol'],
    ['put_document MAX_RETRY', 'symbol'],
    ['検索', 'symbol'],
    ['src/store/put.ts', 'path'],
    ['application.js', 'path'],
    ['store.ts:42', 'path'],
    ['lib\\core\\parse.py', 'path'],
    ["TypeError: Cannot read properties of undefined (reading 'id')", 'error'],
    ['error TS2345: Argument of type string', 'error'],
    ['error[E0382]: borrow of moved value', 'error'],
    ['java.lang.NullPointerException: null', 'error'],
    ['it fails with ENOENT: no such file', 'error'],
    ['what happens at run (/app/dist/main.js:3:17)', 'error'],
    ['File "run.py", line 3, in main', 'error'],
    ['When did Caroline go to the market?', 'named'],
    ['what does the office in Berlin pay for', 'named'],
    ['how are passwords hashed?', 'plain'],
    ['How are they hashed? What for?', 'plain'],
    ['how does putDocument work', 'plain'],
    ['the error handling of the store', 'plain'],
    ['WHAT IS THE POPULATION', 'plain'],
    ['検索エンジンはどのように動作しますか', 'plain'],
    ['who is "Ada" here', 'named'],
    ['see the PutDocument of it', 'plain'],
  ])('%s', (text, kind) => {
    expect(readQuestion(text).kind).toBe(kind);
  });
});

test.each([
  ['where is src/store.ts used?', [{ path: 'src/store.ts' }]],
  ['see ./lib/a.js:12:3 and b.py', [{ path: 'lib/a.js', line: 12 }, { path: 'b.py' }]],
  ['at f (C:\\app\\src\\main.ts:9:1)', [{ path: 'app/src/main.ts', line: 9 }]],
  ['what does res.send do with v1.2, e.g. here?', []],
  ['is it on https://example.org/a.html', []],
  ['mail me@example.com', []],
  ['what is in docs/größe.md and Über.md', [{ path: 'docs/größe.md' }, { path: 'Über.md' }]],
  ['src/a.tsはどこで使われていますか', [{ path: 'src/a.ts' }]],
  ['a.ts, then a.ts:9:1 before a.ts:70:2', [{ path: 'a.ts', line: 9 }]],
])('finds the paths in: %s', (text, paths) => {
  expect(readQuestion(text).paths).toEqual(paths);
});

test('takes what stands in quotation marks as it stands, each once', () => {
  const { quoted } = readQuestion('why "not found" and `get(id)` or “so what” and "not found", "", "x"');
  expect(quoted).toEqual(
    ['not found', 'so what', 'get(id)'].toSorted(
      (a, b) =>
        'why "not found" and `get(id)` or “so what”'.indexOf(a) -
        'why "not found" and `get(id)` or “so what”'.indexOf(b),
    ),
  );
});

test('looks for a few quoted texts at most, however many there are', () => {
  const many = Array.from({ length: 50 }, (_, index) => `"text ${index}"`).join(' and ');
  expect(readQuestion(many).quoted).toHaveLength(8);
});

test('names are words in the shape of code; of a single word, that word', () => {
  expect([...readQuestion('where is putDocument or MAX_RETRY set').names]).toEqual([
    'putdocument',
    'maxretry',
  ]);
  expect([...readQuestion('response').names]).toEqual(['response']);
  expect([...readQuestion('the response').names]).toEqual([]);
});

test.each([
  '',
  ' ',
  '"',
  '``',
  '/',
  '\\',
  'a'.repeat(100_000),
  '/'.repeat(50_000),
  'a.b'.repeat(20_000),
  '\u0000',
  '🙂',
  '~'.repeat(500_000),
  '~/'.repeat(250_000),
  `at ${'a'.repeat(500_000)}`,
  'at '.repeat(200_000),
  `at ${'a:1'.repeat(150_000)}`,
  'File "'.repeat(200_000),
  `a${' '.repeat(800_000)}b`,
  `x A${'a'.repeat(500_000)}B`,
  `a${'_'.repeat(500_000)}b`,
])('reads anything in no time: %#', (text) => {
  expect(readQuestion(text).text).toBe(text.trim());
});
