import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { bundledInstallation, modelPath } from '../model-files.ts';
import { bundledPieces, bundledTokenizer, promptTokens } from './bundled.ts';
import { createPieceTrie, packPieces, unpackPieces } from './piece-trie.ts';
import { createWordPiece, type TextTokenizer } from './wordpiece.ts';

let ours: TextTokenizer;
let published: (text: string) => number[];

beforeAll(async () => {
  const path = modelPath(bundledInstallation, 'tokenizer.json');
  const file = JSON.parse(await readFile(path, 'utf8'));
  ours = bundledTokenizer();
  const reference = new Tokenizer({ ...file, truncation: null, padding: null }, {});
  published = (text) => reference.encode(text, { add_special_tokens: false }).ids;
});

test.each([
  'Plain words, punctuation; and (brackets)!',
  'putDocument snake_case_name XMLHttpRequest2 kebab-case a.b::c->d',
  'naïve café Ångström İstanbul straße ﬁnance',
  '北京 is the capital of 中国。 日本語テキスト 한국어 ไทย',
  'emoji 🙂 👩‍👩‍👧 zero​width soft­hyphen \u0000 nul \ufffd',
  `${'x'.repeat(101)} ${'y'.repeat(100)}`,
  'price: $5 + 3% = €8 ~ ½ ² ™',
  '',
  ' \t\r\n ',
])('cuts %j as the published tokenizer does', (text) => {
  expect(ours.encode(text)).toEqual(published(text));
});

test('cuts any text as the published tokenizer does', () => {
  // Bracketed words such as [SEP] are text here; the published one would let a document forge special tokens.
  // It also misses the rare ideographs beyond the basic plane, which the model's own rules set apart.
  const text = fc
    .string({ unit: 'grapheme', maxLength: 60 })
    .filter((value) => !/\[(PAD|UNK|CLS|SEP|MASK)\]|[\u{20000}-\u{2ffff}]/u.test(value));
  fc.assert(
    fc.property(text, (value) => {
      expect(ours.encode(value)).toEqual(published(value));
    }),
    { numRuns: draws(1000) },
  );
});

test('has in its file of numbers what is packed from the published vocabulary', async () => {
  const vocabulary = JSON.parse(await readFile(modelPath(bundledInstallation, 'tokenizer.json'), 'utf8'))
    .model.vocab;
  const { idOf } = createPieceTrie(unpackPieces(await readFile(bundledPieces.path)));
  expect(Object.keys(vocabulary).filter((piece) => idOf(piece) !== vocabulary[piece])).toEqual([]);
  const built = createWordPiece(() => packPieces(vocabulary));
  const text = 'Plain words, `code_of(this)` and naïve 北京 [CLS] ##tail ½';
  expect(ours.encode(text)).toEqual(built.encode(text));
});

test('treats special tokens in a document as plain text', () => {
  const ids = ours.encode('[CLS] [SEP]');
  expect(ids).not.toContain(ours.startId);
  expect(ids).not.toContain(ours.endId);
});

test('one endless word and white space fill a prompt as any model reads them', () => {
  const sentence = 'A lock is taken in alphabetical order, and released when the process ends.';
  expect(promptTokens(sentence)).toBe(bundledTokenizer().encode(sentence).length);
  for (const part of ['a', ' ', '0'])
    expect(promptTokens(part.repeat(160_000))).toBeGreaterThanOrEqual(10_000);
});
