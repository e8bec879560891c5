import { z } from 'zod';
import { QuarryError } from '../../core/errors.ts';
import { openPublishedTokenizer } from './published-tokenizer.ts';
import { createWordPiece, type WordPiece } from './wordpiece.ts';

/** Cuts text into the tokens of a model and knows the special tokens around them. */
export type TextTokenizer = WordPiece;

const addedToken = z.looseObject({ id: z.int(), content: z.string(), special: z.boolean().optional() });

/** A `tokenizer.json`; its vocabulary is large and left to who reads it. */
const tokenizerFile = z.looseObject({
  added_tokens: z.array(addedToken).nullish(),
  normalizer: z.looseObject({ type: z.string() }).nullish(),
  pre_tokenizer: z.looseObject({ type: z.string() }).nullish(),
  post_processor: z.looseObject({ type: z.string() }).nullish(),
  model: z.looseObject({
    type: z.string().optional(),
    vocab: z.custom<object>((value) => typeof value === 'object' && value !== null),
  }),
});

/** What a `tokenizer.json` says, as far as it has been looked at. */
export type ParsedTokenizerFile = z.output<typeof tokenizerFile>;

/**
 * The tokenizer that a published `tokenizer.json` describes. Special tokens that stand in a text are plain text.
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
  return createWordPiece({ model: { vocab: file.model.vocab as Record<string, number> } });
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
