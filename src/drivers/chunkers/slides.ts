import type { Chunker } from '../../contracts/chunker.ts';
import { createFeedChunker } from './feed-chunker.ts';

/** Slides with a form feed between them: by slide, those of a few words together. */
export function createSlidesChunker(): Chunker {
  return createFeedChunker('slide');
}

export default createSlidesChunker;
