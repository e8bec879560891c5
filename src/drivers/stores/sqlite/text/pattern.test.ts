import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { TextPattern } from '../../../../contracts/store.ts';
import { chunksOf } from '../../../../index/chunks-of.ts';
import { putDocument } from '../../../../index/write.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { openSqliteStore, type SqliteStore } from '../store.ts';
import { certainTerms } from './pattern.ts';

const everything = { limit: 100_000 };

function literal(text: string, overrides: Partial<TextPattern> = {}): TextPattern {
  return { text, isRegex: false, ignoreCase: false, ...overrides };
}

async function put(store: SqliteStore, uri: string, texts: readonly string[]): Promise<void> {
  const document = documentRecord(uri);
  await putDocument(store, { document, chunks: chunkEntries(document, texts) });
}

async function ordinals(store: SqliteStore, pattern: TextPattern): Promise<number[]> {
  const found = await store.searchPattern(pattern, everything);
  return found.map(({ chunk }) => chunk.ordinal).sort((one, other) => one - other);
}

// Words and what stands between them, and characters that turn into others when their accents are taken away or that
// join what stands beside them.
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(' ', ' ', '.', '(', ')', '"', "'", '%', '_', '$', '-', '\n', '\0', '、'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'put',
      'putDocument',
      'XMLHttp2',
      'snake_case',
      'running',
      'RUN',
      'a',
      '42',
      '__',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('東京都', 'の', 'か\u3099', 'สวัสดี', '검색', 'ᄀ', 'ᅡ', 'ΛΌΓΟΣ', 'λόγος'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'é',
      'e\u0301',
      '\u0301',
      '\u0338',
      '\u05b0',
      '\u0345',
      'ﬁ',
      '™',
      '½',
      '℃',
      'ſ',
      '\u212a',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('🦀', '👩‍👩‍👧', '\u200d', '\ufeff', '\u00a0', 'İ', 'ß') },
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
const cut = fc.record({ of: fc.nat(), from: fc.nat(), length: fc.integer({ min: 1, max: 30 }) });

/** A part of one of the texts, cut between characters. */
function cutOut(
  texts: readonly string[],
  { of, from, length }: { of: number; from: number; length: number },
): string {
  const characters = [...(texts[of % texts.length] ?? '')];
  const start = from % Math.max(1, characters.length);
  return characters.slice(start, start + length).join('');
}

function escaped(value: string): string {
  return value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

describe('a literal', () => {
  test('is found in exactly the texts that include it', async () => {
    const store = openSqliteStore(':memory:');
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.array(cut, { minLength: 4, maxLength: 12 }),
        async (texts, cuts) => {
          await put(store, 'a.md', texts);
          for (const part of cuts.map((each) => cutOut(texts, each)).filter((each) => each !== '')) {
            const holding = texts.flatMap((each, index) => (each.includes(part) ? [index] : []));
            expect(await ordinals(store, literal(part)), JSON.stringify(part)).toEqual(holding);
            const anyCase = new RegExp(escaped(part), 'iu');
            const alike = texts.flatMap((each, index) => (anyCase.test(each) ? [index] : []));
            const swapped = part.toUpperCase().length === part.length ? part.toUpperCase() : part;
            if (!new RegExp(`^${escaped(swapped)}$`, 'iu').test(part)) continue;
            expect(await ordinals(store, literal(swapped, { ignoreCase: true })), swapped).toEqual(alike);
          }
        },
      ),
      { numRuns: draws(200) },
    );
    await store.close();
  });

  test('is looked up by the words that stand complete in it, the longest ones', () => {
    expect(certainTerms(literal('await putDocument(first, x'))).toEqual(['putdocument', 'first']);
    expect(certainTerms(literal('(alpha beta) '))).toEqual(['alpha', 'beta']);
    expect(certainTerms(literal(' a bb ccc dddd eeeee '))).toEqual(['eeeee', 'dddd', 'ccc', 'bb']);
    expect(certainTerms(literal(' Crème $store ')).sort()).toEqual(['creme', 'store']);
  });

  test.each(['', 'word', 'two words', 'cut™ here', '東京都の天気', '...', ' __ '])(
    'of no complete word is looked for everywhere: "%s"',
    (value) => {
      expect(certainTerms(literal(value))).toEqual([]);
    },
  );

  test('is looked up in any case only where case changes no term', () => {
    expect(certainTerms(literal(' PutDocument ', { ignoreCase: true }))).toEqual(['putdocument']);
    expect(certainTerms(literal(' Λόγος alpha ', { ignoreCase: true }))).toEqual([]);
    expect(certainTerms(literal(' alpha ', { isRegex: true }))).toEqual([]);
  });
});

describe('a search that takes several turns', () => {
  const lines = Array.from(
    { length: 3_500 },
    (_, index) => `line ${index} of the ${index % 7 ? 'log' : 'book'}`,
  );
  let filled: Buffer;

  beforeAll(async () => {
    const path = join(await temporaryFolder(), 'index.sqlite');
    const store = openSqliteStore(path);
    await put(store, 'b.md', lines);
    await store.close();
    filled = readFileSync(path);
  });

  /** A store that holds the lines in `b.md`. */
  async function openFilled() {
    const path = join(await temporaryFolder(), 'index.sqlite');
    writeFileSync(path, filled);
    return openSqliteStore(path);
  }

  const patterns = [literal('book'), literal(' of '), { ...literal('o+k$'), isRegex: true }];

  test.each([':memory:', 'index.sqlite'])('finds what one turn would find, in %s', async (name) => {
    const store = name === ':memory:' ? openSqliteStore(name) : await openFilled();
    if (name === ':memory:') await put(store, 'b.md', lines);
    await put(store, 'a.md', ['book book', 'of one book']);
    for (const { text: part, isRegex } of patterns) {
      const found = await store.searchPattern(literal(part, { isRegex }), everything);
      const holding = [...lines, 'book book', 'of one book'].filter((line) => new RegExp(part).test(line));
      expect(found).toHaveLength(holding.length);
      const few = await store.searchPattern(literal(part, { isRegex }), { limit: 5 });
      expect(few).toEqual(found.slice(0, 5));
    }
    const best = await store.searchPattern(literal('book'), { limit: 3 });
    expect(best.map(({ document, chunk }) => [document.uri, chunk.ordinal])).toEqual([
      ['a.md', 0],
      ['a.md', 1],
      ['b.md', 0],
    ]);
    await store.close();
  });

  test('lets other work run, and shows the state in which it began', async () => {
    const store = await openFilled();
    let isSearching = true;
    const search = store.searchPattern(literal('book'), everything).finally(() => {
      isSearching = false;
    });
    await setImmediate();
    const change = put(store, 'b.md', ['no such word']);
    const textNow = async () => (await chunksOf(store, documentRecord('b.md').id))[0]?.text;
    while (isSearching && (await textNow()) !== 'no such word') await setImmediate();
    expect([isSearching, await textNow()]).toEqual([true, 'no such word']);
    const found = await search;
    expect(found).toHaveLength(500);
    expect(found.every(({ chunk }) => chunk.text.includes('book'))).toBe(true);
    await change;
    expect(await store.searchPattern(literal('book'), everything)).toEqual([]);
    await store.close();
  });

  test('ends with the error of the pattern, and leaves the store as it was', async () => {
    const store = await openFilled();
    await put(store, 'a.md', [`${'a'.repeat(1_000)}!`]);
    const endless = literal('^(a+)+$', { isRegex: true });
    await expect(store.searchPattern(endless, everything)).rejects.toMatchObject({
      code: 'usage-invalid',
    });
    expect(await ordinals(store, literal('aaa!'))).toEqual([0]);
    await put(store, 'a.md', ['another text']);
    expect(await ordinals(store, literal('another'))).toEqual([0]);
    await store.close();
  });

  test('lets other work run while a single text takes its time', async () => {
    const folder = await temporaryFolder();
    const store = openSqliteStore(join(folder, 'index.sqlite'));
    await put(store, 'a.md', [`${'a'.repeat(1_000)}!`]);
    const search = store.searchPattern(literal('^(a+)+$', { isRegex: true }), everything);
    const refused = expect(search).rejects.toMatchObject({ code: 'usage-invalid' });
    let isSearching = true;
    let turns = 0;
    const end = refused.finally(() => {
      isSearching = false;
    });
    for (; isSearching; turns += 1) await setImmediate();
    await end;
    expect(turns).toBeGreaterThan(2);
    await store.close();
  });

  test('is refused once the store is closed', async () => {
    const store = openSqliteStore(':memory:');
    await store.close();
    await expect(store.searchPattern(literal(''), everything)).rejects.toMatchObject({
      code: 'store-unusable',
    });
  });
});
