import type { ContextFormat, ContextText } from '../../core/context.ts';
import { buildBlock } from './build-block.ts';

/** Texts that were retrieved before as one block, all of them; empty where there are none. */
export function formatTexts(
  texts: readonly ContextText[],
  format: Exclude<ContextFormat, 'sources'>,
  fence: boolean,
): string {
  const unbounded = { maxTokens: Number.POSITIVE_INFINITY, countTokens: () => 0 };
  return buildBlock(texts, { format, question: '', fence, ...unbounded }).text;
}
