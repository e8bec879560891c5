import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { sample } from '../../../test/samples.ts';
import { analyseQuery } from './analyse-query.ts';

describe('the kind of a query', () => {
  test.each([
    ['putDocument', 'symbol'],
    ['response', 'word'],
    ['install', 'word'],
    ['Timeout', 'word'],
    ['größe', 'word'],
    ['parseUrl', 'symbol'],
    ['parse_url', 'symbol'],
    ['URL2', 'symbol'],
    ['app.listen', 'symbol'],
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
    ['how does putDocument work', 'symbol'],
    ['how does putDocument work with a filter', 'code'],
    ['what does bats_pipe do with its output?', 'code'],
    ['who closes an IDbConnection', 'code'],
    ['levels of mRNA and TP53 rise', 'plain'],
    ['the error handling of the store', 'plain'],
    ['WHAT IS THE POPULATION', 'plain'],
    ['検索エンジンはどのように動作しますか', 'plain'],
    ['who is "Ada" here', 'named'],
    ['see the PutDocument of it', 'code'],
  ])('%s', (text, kind) => {
    expect(analyseQuery(text).kind).toBe(kind);
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
  expect(analyseQuery(text).paths).toEqual(paths);
});

test.each([
  'what is the ratio 3:4: error rates of both',
  'what ran at 10:30:in the morning',
  'which line is the step:line 3',
  'what did we run at 12:30:45?',
  'who answers at fe80::1:2',
  'what listens at 10.0.0.1:80:1',
])('%s is no stack trace', (text) => {
  expect(analyseQuery(text).kind).not.toBe('error');
});

test.each([
  ['install', []],
  ['harbour pilot', ['harbour', 'pilot']],
  ['Größe Tür', ['große', 'tur']],
  ['what does E0425 mean?', ['e0425']],
  ['Where does putDocument stand?', ['putdocument']],
  ['who is Marlene Oduya', ['marlene', 'oduya']],
  ['what is asked of a chunk before it is kept', []],
  ['how are vectors kept in memory', []],
  ['When did Maria join a gym?', []],
  ['how are they kept while the index grows larger', []],
])('of %s these words alone are meant', (text, keywords) => {
  expect(analyseQuery(text).keywords).toEqual(keywords);
});

test.each([
  ['why do I get E0425 from bats_pipe in a 2nd run of 10ms?', [['e0425'], ['bats_pipe']]],
  ['catch SIGTERM with --no-wait', [['sigterm'], ['no', 'wait']]],
  ['levels of mRNA rise', [['mrna']]],
  ['WHAT IS THE POPULATION OF FRANCE', []],
  ['how long may the first of them wait', []],
])('%s: names from code within a sentence', (text, names) => {
  expect(analyseQuery(text).codeNames).toEqual(names);
});

describe('the place in a stack trace', () => {
  const place = (path: string, line: number) => [{ path, line }];

  test.each([
    ['Python', 'File "pkg/mod.py", line 3, in f', place('pkg/mod.py', 3)],
    ['Python on Windows', '  File "C:\\app\\mod.py", line 3, in f\r\n', place('app/mod.py', 3)],
    ['V8, a module', 'at f (file:///a/b.ts:3:4)', place('a/b.ts', 3)],
    ['V8, a module on Windows', 'at async f (file:///C:/a/b.ts:3:4)', place('a/b.ts', 3)],
    ['V8, other letters', 'at f (file:///a/gr%C3%B6%C3%9Fe.ts:3:4)', place('a/größe.ts', 3)],
    ['V8, a broken address', 'at f (file:///a/b.ts:3:4%)', place('a/b.ts', 3)],
    ['V8, no name', '    at /a/b.js:3:4', place('a/b.js', 3)],
    ['V8, a script', 'at new Store (http://localhost:5173/src/b.tsx?t=17:3:4)', place('src/b.tsx', 3)],
    ['V8, a bundle', 'at f (webpack-internal:///./src/b.ts:3:4)', place('src/b.ts', 3)],
    ['V8, a named bundle', 'at f (webpack://shop/src/b.ts:3:4)', place('src/b.ts', 3)],
    ['Firefox', 'f@http://localhost/src/b.js:3:4\ng@http://localhost/src/b.js:9:1', place('src/b.js', 3)],
    ['Java', '\tat com.x.Foo.bar(Foo.java:42)', place('Foo.java', 42)],
    [
      'Java, a module',
      'at java.base/java.util.ArrayList.get(ArrayList.java:427)',
      place('ArrayList.java', 427),
    ],
    ['Java, a name like an ending', 'at com.x.Foo.go(Foo.java:42)', place('Foo.java', 42)],
    ['Kotlin', 'at com.x.FooKt$main$1.invoke(Foo.kt:7)', place('Foo.kt', 7)],
    ['Go', 'example.org/x/store.Open(0x1, 0x2)\n\t/a/b.go:42 +0x1f', place('a/b.go', 42)],
    ['Rust, the compiler', '  --> src/main.rs:3:4', place('src/main.rs', 3)],
    ['Rust, a backtrace', '             at src/main.rs:3', place('src/main.rs', 3)],
    ['C#', 'at X.Store.Open(String path) in C:\\a\\b.cs:line 42', place('a/b.cs', 42)],
    ['C#, a share', 'at X.Store.Open() in \\\\host\\a\\b.cs:line 42', place('host/a/b.cs', 42)],
    ['Ruby', "b.rb:3:in `open'", place('b.rb', 3)],
    ['Ruby, the caller', "\tfrom /a/b.rb:3:in 'Store#open'", place('a/b.rb', 3)],
    ['PHP', 'PHP Warning:  Undefined variable $x in /a/b.php on line 3', place('a/b.php', 3)],
    ['PHP, a frame', '#0 b.php(3): open()', place('b.php', 3)],
    ['gcc', 'src/a.c:3:4: warning: unused variable', place('src/a.c', 3)],
    ['clang', 'src/a.cc:3:4: fatal error: no such file', place('src/a.cc', 3)],
    ['tsc', 'src/a.ts(3,4): error TS2345: Argument of type', place('src/a.ts', 3)],
    ['tsc, in short', 'src/a.ts(3,4): error', place('src/a.ts', 3)],
    ['MSVC', 'C:\\a\\b.cpp(3): error C2065: x', place('a/b.cpp', 3)],
  ])('of %s is read with its line', (_, text, paths) => {
    const query = analyseQuery(text);
    expect(query.paths).toEqual(paths);
    expect(query.kind).toBe('error');
  });

  test.each([
    ['OCaml', 'File "src/a.ml", line 3, characters 4-5', place('src/a.ml', 3)],
    ['Perl', 'died at lib/a.pl line 3.', place('lib/a.pl', 3)],
    ['Dart', '#0 open (package:store/src/open.dart:3:4)', place('src/open.dart', 3)],
    ['a shell', 'a.sh: line 3: x: command not found', place('a.sh', 3)],
    ['a link', 'see src/a.ts#L42 there', place('src/a.ts', 42)],
    [
      'plain words',
      'what does `src/a.ts` do on line 3, and b.py (line 9)?',
      [{ path: 'src/a.ts' }, { path: 'b.py', line: 9 }],
    ],
    ['words that count nothing', 'go through a.ts line by line', [{ path: 'a.ts' }]],
    ['a line beyond all files', 'a.ts:12345678901 and b.ts(12345678901)', [{ path: 'a.ts' }]],
  ])('of %s is read too', (_, text, paths) => {
    expect(analyseQuery(text).paths).toEqual(paths);
  });

  test.each([
    ['at example.org/x/store.Open(0x1)'],
    ['at node:internal/modules/cjs/loader:1080:15'],
    ['File "<frozen importlib._bootstrap>", line 241, in _call'],
    ['at a.b.c(Unknown Source)'],
    ['is it at http://localhost:3000/a.html or https://example.org:80:90'],
  ])('is none in: %s', (text) => {
    expect(analyseQuery(text).paths).toEqual([]);
  });

  test('is the innermost call, at whichever end it stands', () => {
    const frames = Array.from({ length: 20 }, (_, depth) => ({ path: `pkg/m${depth}.py`, line: depth + 1 }));
    const lines = frames.map(({ path, line }) => `  File "${path}", line ${line}, in f\n    f()`);
    const trace = ['Traceback (most recent call last):', ...lines, 'ValueError: x'].join('\n');
    expect(analyseQuery(trace).paths).toEqual(frames.toReversed().slice(0, 8));
    const asked = analyseQuery(`why does run.py fail with ${trace}\n  File "pkg/m19.py", line 99, in g`);
    expect(asked.paths.slice(0, 2)).toEqual([{ path: 'run.py' }, { path: 'pkg/m19.py', line: 99 }]);
    const script = frames.map(({ path, line }) => `    at f (/${path}:${line}:1)`).join('\n');
    expect(analyseQuery(script).paths).toEqual(frames.slice(0, 8));
  });
});

test('takes what stands in quotation marks as it stands, each once', () => {
  const { quoted } = analyseQuery('why "not found" and `get(id)` or “so what” and "not found", "", "x"');
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
  expect(analyseQuery(many).quoted).toHaveLength(8);
});

test('names are words in the shape of code; of a single word, that word', () => {
  expect([...analyseQuery('where is putDocument or MAX_RETRY set').names]).toEqual([
    'putdocument',
    'maxretry',
  ]);
  expect([...analyseQuery('response').names]).toEqual(['response']);
  expect([...analyseQuery('the response').names]).toEqual([]);
});

test.each(
  sample(3, [
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
    ...[
      'File "a.py", ',
      'at a.b(',
      'at x\n',
      '--> a:',
      '#0 a.php(3)',
      'a@b:1:1',
      'a.ts(3',
      'a.ts, line ',
      'file:///a/%',
      'http://a:1:1',
      'package:a/',
      '\\\\a',
      '(most recent call last) a.py:1 ',
    ].map((part) => `x ${part.repeat(Math.ceil(draws(1_000_000) / part.length))}`),
  ]),
)('reads anything in no time: %#', (text) => {
  expect(analyseQuery(text).text).toBe(text.trim());
});
