import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { bundledTokenizer } from '../../../models/tokenizers/bundled.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';
import { estimateTokens } from './estimate-tokens.ts';

let tokenizer: TextTokenizer;
beforeAll(async () => {
  tokenizer = await bundledTokenizer();
});

test.each([
  ['prose', 'The harbour was quiet after midnight, and the keeper of the light read by its glow. '],
  [
    'source code',
    'export function open(path: string): Promise<Store> { return openStore(path, { wal: true }); }\n',
  ],
  ['German', 'Die Einstellungen des Servers stehen in einer Datei, die beim Start gelesen wird. '],
  ['Chinese', '数据库的索引保存在本地文件中,查询时不需要网络连接。'],
])('comes within a factor of two of what the tokenizer counts in %s', (_, text) => {
  const counted = tokenizer.encode(text.repeat(20)).length;
  expect(estimateTokens(text.repeat(20))).toBeGreaterThan(counted / 2);
  expect(estimateTokens(text.repeat(20))).toBeLessThan(counted * 2);
});

test('is nothing for an empty text, and never less for a longer one', () => {
  expect(estimateTokens('')).toBe(0);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, more) => {
      expect(estimateTokens(text + more)).toBeGreaterThanOrEqual(estimateTokens(text));
    }),
  );
});
