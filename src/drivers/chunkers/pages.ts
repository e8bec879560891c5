import type { Chunker } from '../../contracts/chunker.ts';
import { createFeedChunker } from './feed-chunker.ts';

/** Text with a form feed between its pages: by page, small pages together, long ones between paragraphs. */
export function createPagesChunker(): Chunker {
  return createFeedChunker('page');
}

export default createPagesChunker;
