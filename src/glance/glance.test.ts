import { describe, expect, test } from 'vitest';
import type { Source } from '../contracts/source.ts';
import { defaultLimits, glance } from './glance.ts';
import { countInText, countWords, questionWords } from './question-words.ts';
import { rankFiles } from './rank-files.ts';

/** A source in memory; `sizes` says what it claims of a file. */
function sourceOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  sizes: Readonly<Record<string, number>> = {},
): Source {
  const bytesOf = (uri: string) => Buffer.from(files[uri] ?? '');
  return {
    async *scan() {
      for (const uri of Object.keys(files))
        yield { kind: 'file', file: { uri, size: sizes[uri] ?? bytesOf(uri).length, modifiedAt: 0 } };
    },
    read: async (uri) => bytesOf(uri),
    peek: (uri, maxBytes) => bytesOf(uri).subarray(0, maxBytes),
  };
}

const all = { admits: () => true };
const chosenOf = async (source: Source, question: string, limits = {}) =>
  (await glance(source, { ...all, question, limits })).chosen.map(({ uri }) => uri);

describe('words of a question', () => {
  test.each([
    ['a word in a name of code', 'lock', 'takeLock(lock_file)', 2],
    ['no word within another', 'lock', 'clock blocked', 0],
    ['other forms of a word', 'comparing', 'compare compared comparison comparator', 4],
    ['no word that only begins so', 'port', 'portmanteaux', 0],
    ['words with accents', 'résumé', 'Resume RÉSUMÉ', 2],
    ['a script without spaces', '検索', '全文検索の方法', 1],
    ['words after digits', 'range', 'v2range', 1],
  ])('count %s', (_, question, text, count) => {
    expect(countWords(Buffer.from(text), questionWords(question))?.[0]).toBe(count);
  });

  test('are not counted in what is no text, and cost no more than their number', () => {
    expect(countWords(Buffer.from([80, 75, 3, 4, 0, 0]), questionWords('lock'))).toBeUndefined();
    expect(questionWords('lock '.repeat(50_000))).toHaveLength(1);
    expect(questionWords(Array.from({ length: 500 }, (_, at) => `word${at}x`).join(' ')).length).toBeLessThan(
      40,
    );
  });

  test('are counted where letters change their length with their case', () => {
    expect(countInText('İİİ takeLock', questionWords('lock'))[0]).toBe(0);
    expect(countInText('İİİ take lock', questionWords('lock'))[0]).toBe(1);
  });
});

test('a file with the rarer words comes first, a name counts, and a long file needs more of a word', () => {
  const file = (name: string, inText: number[], inPath = [0, 0], length = 1000) => ({
    file: name,
    inText,
    inPath,
    length,
  });
  const ranked = rankFiles(
    [
      file('common', [1, 0]),
      file('rare', [0, 1]),
      file('named', [0, 0], [0, 1]),
      file('long', [0, 1], [0, 0], 90_000),
      file('none', [0, 0]),
      ...['a', 'b', 'c'].map((name) => file(name, [1, 0])),
    ],
    2,
  );
  const names = ranked.map((each) => each.file);
  expect(names.slice(0, 2)).toEqual(['named', 'rare']);
  expect(names.indexOf('long')).toBeGreaterThan(names.indexOf('rare'));
  expect(names).not.toContain('none');
});

test('a file that is about a word comes before one that names each of them once', () => {
  const file = (name: string, inText: number[]) => ({ file: name, inText, inPath: [0, 0], length: 1000 });
  const ranked = rankFiles(
    [
      file('about', [14, 0]),
      file('both', [1, 1]),
      ...Array.from({ length: 8 }, (_, at) => file(`${at}`, [0, 0])),
    ],
    2,
  );
  expect(ranked.map((each) => each.file)).toEqual(['about', 'both']);
});

describe('a glance', () => {
  test('chooses the files that have the words, best first, and says how much it saw', async () => {
    const files = {
      'a.md': 'tea',
      'b.md': 'tea and saffron',
      'c.md': 'nothing',
      'd.bin': new Uint8Array(40),
    };
    const seen = await glance(sourceOf(files), { ...all, question: 'saffron', limits: { min: 0 } });
    expect(seen.chosen.map(({ uri }) => uri)).toEqual(['b.md']);
    expect(seen).toMatchObject({ files: 4, looked: 3, isComplete: true });
  });

  test('stays within its bounds: files, bytes, and no file that would take all of the time', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`${at}.md`, `saffron ${'x'.repeat(3000)}`]),
    );
    expect(await chosenOf(sourceOf(files), 'saffron')).toHaveLength(defaultLimits.max);
    expect(await chosenOf(sourceOf(files), 'saffron', { bytesOfAll: 10_000 })).toHaveLength(3);
    const huge = sourceOf({ 'mail.mbox': 'saffron saffron', 'b.md': 'saffron' }, { 'mail.mbox': 2 ** 30 });
    expect(await chosenOf(huge, 'saffron')).toEqual(['b.md']);
  });

  test('looks at what is named like the question and at small files first, and says where the time was over', async () => {
    const files = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`${at}.md`, 'tea'.repeat(50)]));
    const source = sourceOf({ ...files, 'deep/saffron.md': 'red' });
    let looked = 0;
    const slow: Source = {
      ...source,
      peek(uri, maxBytes) {
        looked += 1;
        const until = performance.now() + 1;
        while (performance.now() < until);
        return source.peek?.(uri, maxBytes) as Uint8Array;
      },
    };
    const seen = await glance(slow, {
      ...all,
      question: 'saffron',
      limits: { readMilliseconds: 30, min: 0 },
    });
    expect(looked).toBeLessThan(200);
    expect(seen.chosen.map(({ uri }) => uri)).toEqual(['deep/saffron.md']);
    expect(seen).toMatchObject({ files: 3001, isComplete: false });
  });

  test('passes over a file that cannot be read, and over those that no answer may come from', async () => {
    const source = sourceOf({ 'a.md': 'saffron', 'b.md': 'saffron', 'c.txt': 'saffron' });
    const broken: Source = {
      ...source,
      peek(uri, maxBytes) {
        if (uri === 'a.md') throw new Error('gone');
        return source.peek?.(uri, maxBytes) as Uint8Array;
      },
    };
    const admits = (uri: string) => uri.endsWith('.md');
    const seen = await glance(broken, { admits, question: 'saffron', limits: { min: 0 } });
    expect(seen.chosen.map(({ uri }) => uri)).toEqual(['b.md']);
    expect(seen).toMatchObject({ files: 3, looked: 1 });
  });

  test('reads whole files where the source has no quick way, and ends when it is stopped', async () => {
    const { peek: _, ...plain } = sourceOf({ 'a.md': 'saffron', 'b.md': 'tea' });
    expect(await chosenOf(plain, 'saffron', { min: 0 })).toEqual(['a.md']);
    const stopped = glance(plain, { ...all, question: 'saffron', signal: AbortSignal.abort() });
    await expect(stopped).rejects.toMatchObject({ code: 'interrupted' });
  });
});
