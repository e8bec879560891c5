import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { bundledTokenizer } from '../../../models/tokenizers/bundled.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { estimateTokens, sendable, textWindows } from './text-windows.ts';

let tokenizer: TextTokenizer;
beforeAll(async () => {
  tokenizer = bundledTokenizer();
});

/** Whether the windows, in order and perhaps overlapping, are the text and leave nothing out. */
function covers(text: string, windows: readonly { text: string }[]): boolean {
  let covered = 0;
  for (const window of windows) {
    // The window continues what is covered: it begins no later than there.
    const from = text.lastIndexOf(window.text, covered);
    if (from < 0 || from + window.text.length < covered) return false;
    covered = from + window.text.length;
  }
  return covered === text.length;
}

test('leaves a text that fits as it is', () => {
  expect(textWindows('a few words', 100, tokenizer)).toMatchObject([{ text: 'a few words' }]);
  expect(textWindows('word '.repeat(100), 100, tokenizer)).toMatchObject([{ text: 'word '.repeat(100) }]);
  expect(textWindows('word '.repeat(101), 100, tokenizer).length).toBeGreaterThan(1);
});

test('covers every numbered word of a long text, in windows that fit', () => {
  const text = Array.from({ length: 900 }, (_, at) => `w${at}`).join('\n  ');
  const windows = textWindows(text, 100, tokenizer);
  expect(windows.length).toBeGreaterThan(9);
  expect(covers(text, windows)).toBe(true);
  for (const window of windows) expect(tokenizer.encode(window.text).length).toBeLessThanOrEqual(100);
});

test('cuts no word in two where there is white space', () => {
  const text = 'retrieval augmented generation '.repeat(200);
  const words = textWindows(text, 64, tokenizer).flatMap((window) => window.text.trim().split(/\s+/));
  expect(new Set(words)).toEqual(new Set(['retrieval', 'augmented', 'generation']));
});

test('cuts a text into several windows exactly when the tokenizer counts too many tokens', () => {
  const word = fc.constantFrom('a', 'of', 'retrieval', 'x9', '();', 'tokenizer', '\n\n', 'é', '北京');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), fc.integer({ min: 16, max: 60 }), (words, size) => {
      const text = words.join(' ');
      const isCut = textWindows(text, size, tokenizer).length > 1;
      expect(isCut).toBe(tokenizer.encode(text).length > size);
    }),
  );
});

test('counts what the tokenizer does not know by its bytes', () => {
  expect(textWindows('🙂'.repeat(400), 100, tokenizer).length).toBeGreaterThan(8);
  expect(textWindows('x9Kq'.repeat(500), 100, tokenizer).length).toBeGreaterThan(5);
});

test('covers any text with windows, and splits no pair of surrogates', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 8, max: 64 }),
      (words, size) => {
        const text = sendable(words.join(' '));
        const windows = textWindows(text, size, tokenizer);
        expect(windows[0] && text.startsWith(windows[0].text)).toBe(true);
        expect(text.endsWith(windows.at(-1)?.text ?? '\0')).toBe(true);
        expect(windows.reduce((sum, window) => sum + window.text.length, 0)).toBeGreaterThanOrEqual(
          text.length,
        );
        for (const window of windows) expect(window.text.isWellFormed()).toBe(true);
      },
    ),
  );
});

test.each([
  ['', '.'],
  [' \n\t ', '.'],
  ['\0', '.'],
  ['a\0b', 'a b'],
  ['half \ud83d', 'half \ufffd'],
  [' kept as it is ', ' kept as it is '],
])('sends %j as %j', (text, sent) => {
  expect(sendable(text)).toBe(sent);
});

test.each([
  ['prose', 'The harbour was quiet after midnight, and the keeper of the light read by its glow. '],
  [
    'source code',
    'export function open(path: string): Promise<Store> { return openStore(path, { wal: true }); }\n',
  ],
  ['German', 'Die Einstellungen des Servers stehen in einer Datei, die beim Start gelesen wird. '],
  ['Chinese', '数据库的索引保存在本地文件中,查询时不需要网络连接。'],
])('an estimate of tokens comes within a factor of two of what the tokenizer counts in %s', (_, text) => {
  const counted = tokenizer.encode(text.repeat(20)).length;
  expect(estimateTokens(text.repeat(20))).toBeGreaterThan(counted / 2);
  expect(estimateTokens(text.repeat(20))).toBeLessThan(counted * 2);
});

test('an estimate of tokens is nothing for an empty text, and never less for a longer one', () => {
  expect(estimateTokens('')).toBe(0);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, more) => {
      expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text));
    }),
  );
});
