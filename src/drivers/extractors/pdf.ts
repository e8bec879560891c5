import type { Extractor } from '../../contracts/extractor.ts';
import { QuarryError } from '../../core/errors.ts';
import { importOptional } from '../../platform/import-optional.ts';
import { bounded, defaultBounds } from './bounds.ts';
import type { PdfAnswer, PdfJob } from './pdf/thread-messages.ts';
import { createThreadPool } from './pdf/threads.ts';

/** The same file before and after compilation. */
const script = new URL(`./pdf/pdf-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
const threads = createThreadPool<PdfJob, PdfAnswer>(script);

/**
 * PDF: the text of each page in reading order, a form feed between pages, the `pages` chunker for its numbers. The
 * parser works in a thread of its own: a damaged file can make it throw past every handler, loop, or fill memory.
 */
export function createPdfExtractor(bounds = defaultBounds): Extractor {
  return bounded('PDF', bounds, async (file) => {
    const bytes = new Uint8Array(file.bytes);
    const answer = await threads.run({ bytes, bounds }, [bytes.buffer], bounds.milliseconds);
    if ('extraction' in answer) return answer.extraction;
    const { failure, packageMissing } = answer;
    const error = new QuarryError(
      'document-unsupported',
      failure,
      'Open the file with the program that made it.',
    );
    if (!packageMissing) throw error;
    return importOptional('unpdf', 'Reading PDF', () => Promise.reject(error));
  });
}

export default createPdfExtractor;
