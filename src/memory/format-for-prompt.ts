import { formatTexts } from '../answering/context/format-texts.ts';
import type { MemoryChunk } from './working-memory.ts';

/**
 * Chunks of working memory as a block for a prompt, all of them. Their texts stand between two lines that no document can
 * know, unless `fence` is false. Empty where there are none.
 */
export function formatForPrompt(chunks: readonly MemoryChunk[], { fence = true } = {}): string {
  const texts = chunks.map(({ text, path, section, docType, relevance }) => ({
    uri: path,
    title: '',
    type: docType,
    section,
    text,
    signatures: '',
    relevance,
  }));
  return formatTexts(texts, 'memory', fence);
}
