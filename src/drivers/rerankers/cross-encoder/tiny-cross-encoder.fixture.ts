import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { onnxFile } from './onnx-file.fixture.ts';

const words = (
  'replace store document put the chunk step spring flower garden harbour zebra how paint ' +
  'in a can of and is one many'
).split(' ');
const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const vocabulary = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  ...words,
  ...letters.filter((letter) => !words.includes(letter)),
  ...letters.map((letter) => `##${letter}`),
];
const specialTokens = 4;

/** How the tiny model differs from a good one. */
export interface TinyOptions {
  /** Numbers it gives for a pair. */
  readonly labels?: number;
  readonly windowTokens?: number;
  readonly weights?: Uint8Array;
}

/**
 * A folder with a real cross-encoder of a few kilobytes: its logit is the number of times that tokens of the query
 * occur in the chunk, less two. It distinguishes the two texts by their token types alone.
 */
export async function tinyCrossEncoder(options: TinyOptions = {}): Promise<string> {
  const { labels = 1, windowTokens = 64 } = options;
  const folder = await temporaryFolder({
    'tokenizer.json': JSON.stringify(tokenizerFile),
    'config.json': JSON.stringify({ hidden_size: 8, max_position_embeddings: windowTokens }),
  });
  await writeFile(join(folder, 'model.onnx'), options.weights ?? overlapModel(labels));
  return folder;
}

const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });

const tokenizerFile = {
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => ({ id, content, special: true })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0)],
    pair: [special('[CLS]', 0), sequence('A', 0), special('[SEP]', 0), sequence('B', 1), special('[SEP]', 1)],
    special_tokens: { '[CLS]': { id: '[CLS]', ids: [2] }, '[SEP]': { id: '[SEP]', ids: [3] } },
  },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((piece, id) => [piece, id])),
  },
};

function overlapModel(labels: number): Uint8Array {
  const size = vocabulary.length;
  const table = new Float32Array(size * size);
  for (let id = specialTokens; id < size; id += 1) table[id * size + id] = 1;
  return onnxFile({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    constants: [
      { name: 'table', shape: [size, size], values: table },
      { name: 'one', shape: [1], values: Float32Array.of(1) },
      { name: 'bias', shape: [labels], values: new Float32Array(labels).fill(2) },
      { name: 'first', shape: [1], values: BigInt64Array.of(1n) },
      { name: 'last', shape: [1], values: BigInt64Array.of(2n) },
    ],
    steps: [
      { operation: 'Gather', inputs: ['table', 'input_ids'], output: 'rows' },
      { operation: 'Cast', inputs: ['token_type_ids'], output: 'types', attributes: { to: 1 } },
      { operation: 'Unsqueeze', inputs: ['types', 'last'], output: 'chunkMask' },
      { operation: 'Sub', inputs: ['one', 'chunkMask'], output: 'queryMask' },
      { operation: 'Mul', inputs: ['rows', 'chunkMask'], output: 'chunkRows' },
      { operation: 'Mul', inputs: ['rows', 'queryMask'], output: 'queryRows' },
      {
        operation: 'ReduceSum',
        inputs: ['chunkRows', 'first'],
        output: 'chunk',
        attributes: { keepdims: 0 },
      },
      {
        operation: 'ReduceSum',
        inputs: ['queryRows', 'first'],
        output: 'query',
        attributes: { keepdims: 0 },
      },
      { operation: 'Mul', inputs: ['query', 'chunk'], output: 'shared' },
      { operation: 'ReduceSum', inputs: ['shared', 'first'], output: 'count', attributes: { keepdims: 1 } },
      { operation: 'Sub', inputs: ['count', 'bias'], output: 'logits' },
    ],
    output: { name: 'logits', shape: [1, labels] },
  });
}
