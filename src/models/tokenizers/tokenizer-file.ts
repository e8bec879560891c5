import { z } from 'zod';

const addedToken = z.looseObject({ id: z.int(), content: z.string(), special: z.boolean().optional() });

/** A `tokenizer.json`; its vocabulary is large and not looked into. */
export const tokenizerFile = z.looseObject({
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
