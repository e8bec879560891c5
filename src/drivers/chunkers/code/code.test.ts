import { describe, expect, test, vi } from 'vitest';
import { Tree } from 'web-tree-sitter';
import { createCodeChunker } from './code.ts';
import { characterLimits, documentOf, lineLimits, misplaced } from './samples.fixture.ts';

const chunker = createCodeChunker();
const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

async function chunkOf(uri: string, text: string, limits = lineLimits(3, 8, 12)) {
  const chunking = await chunker.chunk(documentOf(uri, text), limits);
  expect(misplaced(text, chunking.drafts)).toEqual([]);
  return { ...chunking, texts: chunking.drafts.map(({ start, end }) => text.slice(start, end)) };
}

describe('sizes', () => {
  test('keeps a definition that fits in one chunk, with the names of its members', async () => {
    const { drafts } = await chunkOf('a.ts', 'export class A {\n  one() {}\n  two() {}\n}\n');
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.metadata).toEqual({ symbols: ['A', 'one', 'two'] });
    expect(drafts[0]).toMatchObject({ header: '', section: 'A', symbol: { kind: 'class', scope: [] } });
  });

  test('cuts a long class by member, under the signature of the class', async () => {
    const methods = repeat(
      4,
      (n) => `  /** Doc ${n}. */\n  m${n}(a: number) {\n    a += ${n};\n    return a;\n  }`,
    );
    const { drafts, texts } = await chunkOf('a.ts', `class Big<T> extends Base {\n${methods}\n}\n`);
    expect(drafts.map(({ section }) => section)).toEqual(['Big', 'Big > m1', 'Big > m2', 'Big > m3']);
    expect(drafts[0]?.metadata?.symbols).toEqual(['Big', 'm0']);
    expect(drafts[1]?.header).toBe('class Big<T> extends Base');
    expect(drafts[1]?.symbol).toMatchObject({ kind: 'method', signature: 'm1(a: number)', scope: ['Big'] });
    expect(texts[1]).toMatch(/^\/\*\* Doc 1\. \*\//);
  });

  test('cuts a long function between statements; its parts share the name and carry the signature', async () => {
    const body = repeat(30, (n) => `    step_${n}()`);
    const { drafts, texts } = await chunkOf('a.py', `class A:\n  def long(self, x):\n${body}\n`);
    const parts = drafts.filter(({ symbol }) => symbol?.name === 'long');
    expect(parts.map(({ metadata }) => metadata?.part)).toEqual(['2/4', '3/4', '4/4']);
    expect(drafts[0]?.metadata?.symbols).toEqual(['A', 'long']);
    expect(parts[1]?.header).toBe('class A\ndef long(self, x)');
    expect(parts[1]?.section).toBe('A > long');
    expect(texts.every((text) => text.split('\n').length <= 12)).toBe(true);
  });

  test('merges small neighbours and names all of them', async () => {
    const { drafts } = await chunkOf('a.js', 'function a() {}\nfunction b(x) {}\nconst c = 1;\n');
    expect(drafts).toHaveLength(1);
    expect(drafts[0]?.metadata?.symbols).toEqual(['a', 'b', 'c']);
  });

  test('leaves definitions above the minimum apart', async () => {
    const { drafts } = await chunkOf(
      'a.js',
      repeat(2, (n) => `function f${n}() {\n  a();\n  b();\n}`),
    );
    expect(drafts.map(({ section }) => section)).toEqual(['f0', 'f1']);
  });

  test('keeps the licence, the imports and the first statements together', async () => {
    const head = "// Licence.\n\nimport a from 'a';\nimport b from 'b';\n\nstart(a, b);\n";
    const { texts } = await chunkOf('a.ts', `${head}\nfunction f() {\n  a();\n  b();\n}\n`);
    expect(texts[0]).toBe(head.trim());
  });

  test('keeps a bare signature with what it introduces, not with what stands before it', async () => {
    const before = 'function small() {\n  a();\n}\n';
    const table = `  return [\n${repeat(9, (n) => `    [${n}],`)}\n  ];`;
    const signature = 'export function largeTable(one: string, other: number): number[][] {';
    const { texts } = await chunkOf('a.ts', `${before}\n${signature}\n${table}\n}\n`, lineLimits(3, 8, 11));
    expect(texts.find((text) => text.includes(signature))).toMatch(
      /^export function largeTable.*\n {2}return/,
    );
  });

  test('finds the functions inside a wrapper that is called at once', async () => {
    const inner = repeat(4, (n) => `  function inner${n}() {\n    a();\n    b();\n    c();\n  }`);
    const { drafts } = await chunkOf('a.js', `(function () {\n${inner}\n})();\n`);
    expect(drafts.flatMap(({ metadata }) => metadata?.symbols ?? [])).toEqual([
      'inner0',
      'inner1',
      'inner2',
      'inner3',
    ]);
  });

  test('cuts a line of 100,000 characters within the maximum', async () => {
    const limits = characterLimits(20, 100, 200);
    const text = `var data = "${'x'.repeat(50_000)}";${repeat(3_000, (n) => `f(${n});`).replaceAll('\n', '')}`;
    const { texts } = await chunkOf('a.js', text, limits);
    expect(Math.max(...texts.map((part) => limits.countTokens(part)))).toBeLessThanOrEqual(200);
  });
});

describe('unusual files', () => {
  test.each(['', ' \n\t\r\n', '\uFEFF'])('gives no chunk for a file without text', async (text) => {
    expect(await chunker.chunk(documentOf('a.ts', text), lineLimits(1, 5, 10))).toEqual({ drafts: [] });
  });

  test('reads carriage returns, a byte order mark and names beyond ASCII', async () => {
    const text = '\uFEFF// 😀 Größe\r\nexport function größe(名前) {\r\n  return 名前;\r\n}\r\n';
    const { drafts, texts } = await chunkOf('a.ts', text);
    expect(texts).toEqual([text.slice(1).trim()]);
    expect(drafts[0]?.symbol).toMatchObject({ name: 'größe', signature: 'export function größe(名前)' });
  });

  test('uses what it can of a tree with a syntax error', async () => {
    const good = repeat(3, (n) => `function f${n}() {\n  a();\n  b();\n}`);
    const { drafts, degraded } = await chunkOf('a.ts', `${good}\nconst = = 3;\n`);
    expect(degraded).toMatch(/^Part of the file has syntax errors.* in line 13; it was cut around them\.$/);
    expect(drafts.map(({ symbol }) => symbol?.name)).toContain('f1');
  });

  test.each([
    ['a.kt', 'class A { val x = 1 }'],
    ['a.kt', 'fun f() = 1'],
    ['a.kt', 'sealed interface S { object A : S }\nabstract class B { abstract fun f(): Int }\n'],
    ['a.kt', 'fun interface Runner { fun run() }\n'],
    ['a.ts', 'type Row = readonly [type: string, number: number];\nexport const rows: Row[] = [];\n'],
    ['a.ts', 'export interface Box<out T, in U> {\n  get(): T;\n  set(value: U): void;\n}\n'],
    [
      'a.ts',
      'export const first = async <const T>(values: readonly T[]) => values[0];\nfirst<string>([`a`]);\n',
    ],
    ['a.d.ts', "declare const a: number;\nexport type Node = import('estree').Node;\n"],
    ['a.tsx', 'export const first = <T,>(values: T[]) => <List<T> rows={values} />;\n'],
    ['a.d.ts', 'declare const a: number;\nexport default function (): {\n  message: string;\n};\n'],
  ])('takes what %s allows for no syntax error: %s', async (uri, text) => {
    const { drafts, degraded } = await chunkOf(uri, text);
    expect(degraded).toBeUndefined();
    expect(misplaced(text, drafts)).toEqual([]);
  });

  test('finds the definitions after a conditional that opens a bracket on both sides', async () => {
    const torn = 'int f(int a) {\n#ifdef ONE\n  if (a) {\n#else\n  if (!a) {\n#endif\n    g();\n  }\n}\n';
    const good = repeat(4, (n) => `int after${n}(void) {\n  a();\n  b();\n}\n`);
    const { drafts, degraded } = await chunkOf('a.c', `${torn}${good}`);
    expect(degraded).toMatch(/^Part of the file has syntax errors.*; it was cut around them\.$/);
    expect(drafts.map(({ symbol }) => symbol?.name)).toEqual(
      expect.arrayContaining(['after0', 'after1', 'after2', 'after3']),
    );
  });

  test('cuts by lines, and says so, where most of the file is no code', async () => {
    const { drafts, degraded } = await chunkOf(
      'a.go',
      repeat(40, () => '}} )( not << go >> at ## all [['),
    );
    expect(degraded).toMatch(/syntax errors.*by lines/);
    expect(drafts.length).toBeGreaterThan(1);
  });

  test('cuts by lines, and says so, above its size and its time', async () => {
    const text = repeat(2_000, (n) => `const a${n} = [${n}, ${n}];`);
    const document = documentOf('a.ts', text);
    const small = await createCodeChunker({ maxFileSize: 100 }).chunk(document, lineLimits(3, 8, 12));
    expect(small.degraded).toContain('more than 100 characters');
    const hasty = await createCodeChunker({ parseMilliseconds: 0 }).chunk(document, lineLimits(3, 8, 12));
    expect(hasty.degraded).toContain('longer than 0 ms');
    expect(misplaced(text, hasty.drafts)).toEqual([]);
    expect((await chunkOf('a.ts', text)).degraded).toBeUndefined();
  });

  test('cuts a file of an unknown language by lines and says so', async () => {
    const { drafts, degraded } = await chunkOf('a.unknown', 'some text\n');
    expect(degraded).toContain('No grammar');
    expect(drafts).toHaveLength(1);
  });

  test.each(['a.js', 'a.py', 'a.c', 'a.rb', 'a.ex', 'a.swift'])(
    'survives 50,000 brackets in %s',
    async (uri) => {
      const limits = characterLimits(50, 300, 800);
      const hasty = createCodeChunker({ parseMilliseconds: 500 });
      for (const text of [`x = ${'('.repeat(50_000)}1${')'.repeat(50_000)}`, '{['.repeat(25_000)]) {
        const { drafts } = await hasty.chunk(documentOf(uri, text), limits);
        expect(misplaced(text, drafts)).toEqual([]);
        expect(drafts.length).toBeGreaterThan(10);
      }
    },
  );
});

test('frees what it parses', async () => {
  const text = repeat(60, (n) => `export function f${n}(a) {\n  return a + ${n};\n}`);
  // What WebAssembly holds is freed by nobody else.
  const freed = vi.spyOn(Tree.prototype, 'delete');
  for (let round = 0; round < 5; round += 1)
    await chunker.chunk(documentOf('a.js', text), lineLimits(3, 8, 12));
  expect(freed).toHaveBeenCalledTimes(5);
  freed.mockRestore();
});
