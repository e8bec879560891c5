import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StoreMatch } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { withoutNearDuplicates } from './near-duplicates.ts';

function candidate(
  uri: string,
  text: string,
  more: { readonly document?: Partial<DocumentRecord>; readonly chunk?: Partial<Chunk> } = {},
): { readonly match: StoreMatch } {
  const document = documentRecord(uri, more.document);
  return { match: { ...entryOf(document, text, more.chunk), document, score: 1 } };
}

function entryOf(document: DocumentRecord, text: string, overrides: Partial<Chunk> = {}): { chunk: Chunk } {
  const [entry] = chunkEntries(document, [text], overrides);
  if (!entry) throw new TypeError('A text makes a chunk.');
  return entry;
}

const kept = (...texts: readonly { readonly match: StoreMatch }[]) =>
  withoutNearDuplicates(texts).map(({ match }) => match.document.uri);
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => `w${'xyz'[index % 3]}${name(index)}`);
/** A number in letters, since words with digits are numbers. */
const name = (index: number): string =>
  [...String(index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
const prose = words(150).join(' ');
const code = { document: { type: 'code', metadata: { language: 'typescript' } } };

describe('what says the same', () => {
  test('keeps only its best rank, which remembers where else it stands', () => {
    const [first, ...others] = withoutNearDuplicates([
      candidate('a.md', prose),
      candidate('b.md', prose, { chunk: { place: { kind: 'lines', first: 7, last: 8 } } }),
      candidate('c.md', prose),
    ]);
    expect(first?.match.document.uri).toBe('a.md');
    expect(first?.alsoAt).toEqual([
      { uri: 'b.md', place: { kind: 'lines', first: 7, last: 8 } },
      { uri: 'c.md', place: { kind: 'lines', first: 1, last: 1 } },
    ]);
    expect(others).toEqual([]);
  });

  test('remembers ten places at most', () => {
    const copies = Array.from({ length: 50 }, (_, index) => candidate(`${index}.md`, prose));
    expect(withoutNearDuplicates(copies).map(({ alsoAt }) => alsoAt?.length)).toEqual([10]);
  });

  test.each([
    ['with other line ends', 'one two\n\nthree', 'one two\r\n  three '],
    ['quoted in a mail', 'See you\nat noon.', '> See you\n> at noon.'],
    ['quoted twice without spaces', 'See you\nat noon.', '>>See you\n>> at noon.'],
    ['as a licence in comments of another language', '// Free\n// software.', '# Free\n# software.'],
    ['as a block comment', ' * Free\n * software.', '// Free\n// software.'],
  ])('is recognised %s', (_, one, other) => {
    expect(kept(candidate('a', one), candidate('b', other))).toEqual(['a']);
    expect(kept(candidate('a.ts', one, code), candidate('b.py', other, code))).toEqual(['a.ts']);
  });

  test('is recognised in prose though one word of many was corrected', () => {
    expect(kept(candidate('a', prose), candidate('b', prose.replace(name(77), 'corrected')))).toEqual(['a']);
    expect(kept(candidate('a', prose), candidate('b', `${prose} signed`))).toEqual(['a']);
  });
});

describe('what only looks alike stays', () => {
  const long = (inside: string) => [...words(75), inside, ...words(150).slice(75)].join(' ');

  test.each([
    ['short settings', 'timeout = 30', 'timeout = 60'],
    ['getters', 'get name() { return this.name; }', 'get size() { return this.size; }'],
    ['comparisons', 'return a > b;', 'return a < b;'],
    ['names that differ in case', 'Port', 'port'],
    ['pointers', '*pointer = 1;', 'pointer = 1;'],
    ['signs', 'x = -1', 'x = 1'],
    ['rules', '***', '###'],
    ['numbers in long prose', long('timeout = 30'), long('timeout = 60')],
    ['years of long licences', long('Copyright 2019'), long('Copyright 2020')],
    ['negations in long prose', long('it is not safe'), long('it is very safe')],
    [
      'many other words',
      prose,
      words(150)
        .map((word, index) => (index % 12 === 0 ? 'new' : word))
        .join(' '),
    ],
    ['the same words in another order', prose, words(150).reverse().join(' ')],
    ['a part', prose, words(110).join(' ')],
    ['short texts with one other word', words(50).join(' '), [...words(49), 'end'].join(' ')],
    ['nothing and space', '', ' x'],
  ])('%s', (_, one, other) => {
    expect(kept(candidate('a', one), candidate('b', other))).toEqual(['a', 'b']);
  });

  test('long code that differs in one word', () => {
    const other = prose.replace(name(77), 'other');
    expect(kept(candidate('a.ts', prose, code), candidate('b.ts', other, code))).toEqual(['a.ts', 'b.ts']);
  });

  test('nearly equal prose under different headings', () => {
    const under = (uri: string, section: string, text: string) =>
      candidate(uri, text, { chunk: { section } });
    expect(kept(under('a', 'Create', prose), under('b', 'Delete', `${prose} end`))).toEqual(['a', 'b']);
    expect(kept(under('a', 'Create', prose), under('b', 'Create', `${prose} end`))).toEqual(['a']);
  });
});

test('any list keeps its order and its first, loses no text, and has nothing left to lose', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(prose, `${prose} end`, `> ${prose}`, '# a', 'a', '日本語', '30', '60'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
      const candidates = texts.map((each, index) => candidate(`${index}`, each));
      const result = withoutNearDuplicates(candidates);
      const places = result.map(({ match }) => Number(match.document.uri));
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(places[0]).toBe(texts.length > 0 ? 0 : undefined);
      const named = result.flatMap(({ alsoAt }) => (alsoAt ?? []).map(({ uri }) => uri));
      expect(new Set([...places.map(String), ...named]).size).toBeGreaterThanOrEqual(
        Math.min(11, texts.length),
      );
      expect(withoutNearDuplicates(result)).toEqual(result);
    }),
  );
});
