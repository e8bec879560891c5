import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { packPieces } from './piece-trie.ts';
import { openPublishedTokenizer } from './published-tokenizer.ts';
import { type ParsedTokenizerFile, tokenizerFile } from './tokenizer-file.ts';
import { createWordPiece, type TextTokenizer } from './wordpiece.ts';

/**
 * The tokenizer that a published `tokenizer.json` describes. Special tokens inside a text are plain text.
 * Uncased BERT vocabularies need nothing; any other kind needs the package `@huggingface/tokenizers`.
 */
export async function openTokenizer(content: unknown): Promise<TextTokenizer> {
  const parsed = tokenizerFile.safeParse(content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new QuarryError(
      'config-invalid',
      `The model's tokenizer.json cannot be used: ${issue?.path.join('.') || 'its content'}: ${issue?.message}.`,
      'Copy the tokenizer.json that was published with the model.',
    );
  }
  const file = parsed.data;
  if (!isUncasedBert(file)) return openPublishedTokenizer(file);
  return createWordPiece(() => packPieces(file.model.vocab as Record<string, number>));
}

/** Whether every rule of the file is one that our own word pieces follow. */
function isUncasedBert({
  model,
  normalizer,
  pre_tokenizer,
  post_processor,
  added_tokens,
}: ParsedTokenizerFile): boolean {
  const { type = 'WordPiece', vocab } = model;
  return (
    type === 'WordPiece' &&
    !Array.isArray(vocab) &&
    ['[UNK]', '[CLS]', '[SEP]'].every((token) => Object.hasOwn(vocab, token)) &&
    model.unk_token === '[UNK]' &&
    model.continuing_subword_prefix === '##' &&
    (model.max_input_chars_per_word ?? 100) === 100 &&
    normalizer?.type === 'BertNormalizer' &&
    normalizer.lowercase === true &&
    normalizer.clean_text === true &&
    normalizer.handle_chinese_chars === true &&
    normalizer.strip_accents !== false &&
    pre_tokenizer?.type === 'BertPreTokenizer' &&
    framesAsBert(post_processor) &&
    // Added words that are no special tokens are cut out of a text before all other rules.
    (added_tokens ?? []).every(({ special }) => special === true)
  );
}

const bertTemplate = z.looseObject({
  type: z.literal('TemplateProcessing'),
  single: z.tuple([
    z.looseObject({ SpecialToken: z.looseObject({ id: z.literal('[CLS]') }) }),
    z.looseObject({ Sequence: z.looseObject({ id: z.literal('A') }) }),
    z.looseObject({ SpecialToken: z.looseObject({ id: z.literal('[SEP]') }) }),
  ]),
});
const bertProcessing = z.looseObject({
  type: z.literal('BertProcessing'),
  cls: z.tuple([z.literal('[CLS]'), z.int()]),
  sep: z.tuple([z.literal('[SEP]'), z.int()]),
});

function framesAsBert(postProcessor: unknown): boolean {
  return bertTemplate.safeParse(postProcessor).success || bertProcessing.safeParse(postProcessor).success;
}
