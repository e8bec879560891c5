import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, partOfTime } from './bounds.ts';
import { readPdf } from './pdf/read-pdf.ts';

/** Share of the time for reading; the rest is for joining the pages. */
const readingShare = 0.8;

/**
 * PDF: the text of each page in reading order, a form feed between pages, the `pages` chunker for its numbers. A damaged
 * file can make the parser throw past every handler, loop, or fill memory: only a thread with bounds is safe from that.
 */
export function createPdfExtractor(bounds = defaultBounds): Extractor {
  return bounded('PDF', bounds, ({ bytes }, _, recogniser) => {
    // The parser takes over the memory that it is given.
    return readPdf(new Uint8Array(bytes), { deadline: partOfTime(bounds, readingShare), bounds, recogniser });
  });
}

export default createPdfExtractor;
