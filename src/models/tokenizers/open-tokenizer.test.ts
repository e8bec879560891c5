import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { bundledInstallation, modelPath } from '../model-files.ts';
import { openTokenizer } from './open-tokenizer.ts';

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const capitals = letters.map((letter) => letter.toUpperCase());

/** A token that a text never contains by right. */
const special = (content: string, id: number) => ({ content, id, special: true, normalized: false });

const around = (start: string, end: string) => ({
  type: 'TemplateProcessing',
  single: [
    { SpecialToken: { id: start, type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: end, type_id: 0 } },
  ],
  pair: [],
  special_tokens: {},
});

const numbered = (pieces: readonly string[]) => Object.fromEntries(pieces.map((piece, id) => [piece, id]));

const bertPieces = [
  ...['[PAD]', '[UNK]', '[CLS]', '[SEP]', ...letters, ...letters.map((letter) => `##${letter}`)],
  ...[
    'the',
    '##ing',
    '[',
    ']',
    '.',
    ...capitals,
    ...capitals.map((letter) => `##${letter}`),
    'é',
    '##é',
    'Paris',
  ],
];
const wordPiece = {
  added_tokens: [special('[PAD]', 0), special('[UNK]', 1), special('[CLS]', 2), special('[SEP]', 3)],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null as boolean | null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: around('[CLS]', '[SEP]') as object,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: numbered(bertPieces),
  },
};
const cased = { ...wordPiece, normalizer: { ...wordPiece.normalizer, lowercase: false } };
const accented = { ...wordPiece, normalizer: { ...wordPiece.normalizer, strip_accents: false } };

const merges = ['t h', 'th e', 'i n', 'in g', 'Ġ the', 'Ġ a', 'a n', 'an d'];
const bytePair = {
  // The special tokens are beside the vocabulary, as in many published files.
  added_tokens: [special('<s>', 1000), special('</s>', 1001), { ...special('<b>', 1002), special: false }],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: around('<s>', '</s>'),
  decoder: null,
  model: {
    type: 'BPE',
    vocab: numbered([
      ...[
        'Ġ',
        ...letters,
        ...capitals,
        ...'<>/.,!0123456789',
        'th',
        'the',
        'in',
        'ing',
        'Ġthe',
        'Ġa',
        'an',
        'and',
      ],
    ]),
    merges,
  },
};

const unigram = {
  added_tokens: [special('<s>', 0), special('<pad>', 1), special('</s>', 2), special('<unk>', 3)],
  normalizer: { type: 'NFKC' },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', add_prefix_space: true, prepend_scheme: 'always' },
  post_processor: around('<s>', '</s>'),
  decoder: null,
  model: {
    type: 'Unigram',
    unk_id: 3,
    vocab: [
      ...['<s>', '<pad>', '</s>', '<unk>'].map((piece) => [piece, 0]),
      ...['▁', ...letters, ...'.,<>/'].map((piece) => [piece, -6]),
      ...['▁the', '▁a', 'ing', 'th', 'an'].map((piece) => [piece, -3]),
    ],
  },
};

const files = { cased, accented, bytePair, unigram };
const words = fc.constantFrom(
  'the',
  'then',
  'reading',
  'Paris',
  'PARIS',
  'and',
  'é',
  'Überall',
  '北京',
  '🙂',
  '\u0000',
);
const marks = fc.constantFrom(' ', '  ', '\n', '.', ', ', '<', '[');
const sentences = fc.array(fc.oneof(words, marks, fc.string({ unit: 'grapheme', maxLength: 8 })), {
  maxLength: 12,
});

describe.each(Object.entries(files))('the %s tokenizer', (_, file) => {
  const reference = new Tokenizer(file, {});
  // Texts without special tokens: those the published one would let a document forge.
  const published = (text: string) =>
    reference
      .encode(text, { add_special_tokens: false })
      .ids.filter((id: number | undefined) => id !== undefined);

  test('cuts any text as the published one does', async () => {
    const ours = await openTokenizer(file);
    fc.assert(
      fc.property(sentences, (parts) => {
        const text = parts.join('');
        fc.pre(!/<\/?s>|<pad>|<unk>|\[(PAD|UNK|CLS|SEP)\]/.test(text.normalize('NFKC')));
        expect(ours.encode(text)).toEqual(published(text));
      }),
      { numRuns: draws(300) },
    );
  });

  test('knows the tokens around a text, and finds them in no text', async () => {
    const { startId, endId, encode } = await openTokenizer(file);
    const framed = reference.encode('the', { add_special_tokens: true }).ids;
    expect([startId, endId]).toEqual([framed[0], framed.at(-1)]);
    const [start, end] = reference.tokenize('', { add_special_tokens: true });
    const ids = encode(`the ${start} a${end} ${end}`);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).not.toContain(startId);
    expect(ids).not.toContain(endId);
  });

  test('cuts a very long text as it cuts its parts', async () => {
    const { encode } = await openTokenizer(file);
    const sentence = ' the reading and then.';
    const once = encode(sentence).length;
    const ids = encode(sentence.repeat(8_000));
    expect(ids.length).toBe(once * 8_000);
    expect(encode('a'.repeat(50_001)).every(Number.isInteger)).toBe(true);
  });
});

describe('our own word pieces', () => {
  test('serve the bundled model and agree with the published tokenizer', async () => {
    const file = JSON.parse(await readFile(modelPath(bundledInstallation, 'tokenizer.json'), 'utf8'));
    const ours = await openTokenizer(file);
    const reference = new Tokenizer({ ...file, truncation: null, padding: null }, {});
    const text = 'Überall reads getUserName() [SEP';
    expect([ours.startId, ...ours.encode(text), ours.endId]).toEqual(reference.encode(text).ids);
  });

  test('serve the older form of the same template', async () => {
    const post_processor = { type: 'BertProcessing', cls: ['[CLS]', 2], sep: ['[SEP]', 3] };
    const { startId, endId, encode } = await openTokenizer({ ...wordPiece, post_processor });
    expect([startId, endId]).toEqual([2, 3]);
    expect(encode('The [CLS]')).not.toContain(2);
  });
});

test('added words that are no special tokens stay whole', async () => {
  const file = {
    ...wordPiece,
    added_tokens: [...wordPiece.added_tokens, { ...special('qxz', 900), special: false }],
  };
  expect((await openTokenizer(file)).encode('a qxz')).toContain(900);
});

describe('a tokenizer.json is refused', () => {
  test.each([
    ['that is no object', 'text', 'its content'],
    ['without a model', {}, 'model'],
    ['without a vocabulary', { model: { type: 'BPE' } }, 'vocab'],
    ['of an unknown kind', { ...bytePair, model: { type: 'Magic', vocab: 5 } }, 'vocab'],
    ['with a rule that nobody knows', { ...bytePair, pre_tokenizer: { type: 'Magic' } }, 'Magic'],
    ['that puts nothing around a text', { ...bytePair, post_processor: null }, 'special token before'],
    ['whose special tokens have no number', { ...bytePair, added_tokens: [] }, 'special token before'],
  ])('%s', async (_, file, message) => {
    await expect(openTokenizer(file)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(message),
    });
  });
});
