import type { ContextBlock, ContextFormat, ContextSource, ContextText } from '../../core/context.ts';
import { newNonce, nonceFor } from '../../platform/nonce.ts';
import { fenced } from './fence.ts';
import { fitTexts } from './fit-texts.ts';
import { formats } from './format.ts';

/** How a block is written, and how long it may be. */
export interface BlockOptions {
  readonly format: ContextFormat;
  /** What was asked; the format `sources` repeats it. */
  readonly question: string;
  /** Tokens that the whole block may have. */
  readonly maxTokens: number;
  readonly countTokens: (text: string) => number;
  /** Whether the data stands between lines that only this call knows. */
  readonly fence: boolean;
  /** Draws the mark of the fence; random by default. */
  readonly drawNonce?: () => string;
}

/**
 * Writes texts, best first, as one block. Those that the user named come first, and no file that is shown whole is shown
 * again in parts. Whole texts are preferred to parts of better ones; a text is cut only if not even one would fit whole.
 */
export function buildBlock(texts: readonly ContextText[], options: BlockOptions): ContextBlock {
  const { format, question, maxTokens, countTokens, fence, drawNonce = newNonce } = options;
  const { entry, between, data, frame = (written) => written } = formats[format];
  const write = (sources: readonly ContextSource[]): string => {
    const written = data(sources.map(entry).join(between));
    return frame(fence ? fenced(written, nonceFor(written, drawNonce)) : written, question);
  };
  const wanted = named(texts);
  if (wanted.length === 0) return { text: '', sources: [], tokens: 0, left: 0 };
  const sources = fitTexts(wanted, {
    room: maxTokens - countTokens(write([])),
    cost: (source) => countTokens(`${between}${entry(source)}`),
  });
  if (sources.length === 0) return { text: '', sources: [], tokens: 0, left: wanted.length };
  const text = write(sources);
  return { text, sources, tokens: countTokens(text), left: wanted.length - sources.length };
}

/** Files that the user named first, each once; retrieved texts of the same files are left out. */
function named(texts: readonly ContextText[]): ContextText[] {
  const isNamed = ({ relevance }: ContextText): boolean => relevance === undefined;
  const files = new Map(texts.filter(isNamed).map((text) => [text.uri, text]));
  return [...files.values(), ...texts.filter((text) => !isNamed(text) && !files.has(text.uri))];
}
