import type { Tokenizer } from '@huggingface/tokenizers';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { importOptional } from '../../platform/import-optional.ts';
import type { ParsedTokenizerFile } from './tokenizer-file.ts';
import type { TextTokenizer } from './wordpiece.ts';

/** Longest stretch of text, in UTF-16 units, that is handed over at once: the package fails on very long ones. */
const maxStretch = 20_000;

/** A tokenizer of any kind, run by the package that the model's authors publish for it. */
export async function openPublishedTokenizer(file: ParsedTokenizerFile): Promise<TextTokenizer> {
  const published = await importOptional(
    '@huggingface/tokenizers',
    'This model',
    () => import('@huggingface/tokenizers'),
  );
  try {
    return wrap(file, new published.Tokenizer(withoutSpecialTokens(file), {}));
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'config-invalid',
      `The model's tokenizer.json cannot be used: ${messageOf(cause)}.`,
      'Copy the tokenizer.json that was published with the model, or choose another model.',
      { cause },
    );
  }
}

/** The package looks for special tokens in the text itself; without the list of them a document can forge none. */
function withoutSpecialTokens(file: ParsedTokenizerFile): ParsedTokenizerFile {
  const absent = { decoder: null, post_processor: null, pre_tokenizer: null, normalizer: null };
  const added_tokens = (file.added_tokens ?? []).filter(({ special }) => special !== true);
  return { ...absent, ...file, added_tokens };
}

function wrap(file: ParsedTokenizerFile, tokenizer: Tokenizer): TextTokenizer {
  const special = new Map(
    (file.added_tokens ?? []).filter((token) => token.special).map(({ content, id }) => [content, id]),
  );
  const unknown = unknownTokenOf(file);
  // Some vocabularies hold their special tokens as pieces too; only the one for the unknown comes from text.
  const forged = new Set([...special].filter(([content]) => content !== unknown).map(([, id]) => id));
  return {
    ...specialTokensAround(tokenizer, special),
    encode(text) {
      const ids: number[] = [];
      for (const stretch of stretchesOf(text)) {
        for (const id of tokenizer.encode(stretch, { add_special_tokens: false }).ids) {
          // A model without a token for the unknown gives no number for it.
          if (Number.isInteger(id) && !forged.has(id)) ids.push(id);
        }
      }
      return ids;
    },
  };
}

function unknownTokenOf({ model }: ParsedTokenizerFile): string | undefined {
  if (typeof model.unk_token === 'string') return model.unk_token;
  const entry: unknown = Array.isArray(model.vocab) ? model.vocab[Number(model.unk_id)] : undefined;
  return Array.isArray(entry) ? String(entry[0]) : undefined;
}

/** The special tokens that the file's own template puts around a text. */
function specialTokensAround(
  tokenizer: Tokenizer,
  special: ReadonlyMap<string, number>,
): Pick<TextTokenizer, 'startId' | 'endId'> {
  const plain = tokenizer.tokenize('a', { add_special_tokens: false });
  const framed = tokenizer.tokenize('a', { add_special_tokens: true });
  const [start, ...rest] = framed;
  const end = rest.pop();
  if (framed.length !== plain.length + 2 || rest.join('\0') !== plain.join('\0')) throw notOneAround(framed);
  const idOf = (token: string | undefined): number => {
    const id = token === undefined ? undefined : (special.get(token) ?? tokenizer.token_to_id(token));
    if (id === undefined) throw notOneAround(framed);
    return id;
  };
  return { startId: idOf(start), endId: idOf(end) };
}

/** The text in parts that can be cut on their own: each but the first begins with a single space, where there is one. */
function* stretchesOf(text: string): Generator<string, void, void> {
  let start = 0;
  while (text.length - start > maxStretch) {
    const end = cutBefore(text, start, start + maxStretch);
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

function cutBefore(text: string, start: number, limit: number): number {
  const lowest = start + maxStretch / 2;
  for (let at = limit; at > lowest; at -= 1) {
    if (text[at] === ' ' && /\S/.test(text[at - 1] ?? ' ') && /\S/.test(text[at + 1] ?? ' ')) return at;
  }
  const splitsPair = /[\ud800-\udbff]/.test(text[limit - 1] ?? '');
  return splitsPair ? limit - 1 : limit;
}

function notOneAround(framed: readonly string[]): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The model's tokenizer makes "${framed.join(' ')}" of "a"; one special token before and one after are needed.`,
    'Choose a model of the BERT kind.',
  );
}
