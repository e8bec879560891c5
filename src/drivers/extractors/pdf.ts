import { extname } from 'node:path';
import type { Extraction, Extractor } from '../../contracts/extractor.ts';
import { createWorkerPool } from '../../platform/worker-pool.ts';
import { bounded, defaultBounds } from './bounds.ts';
import type { PdfJob } from './pdf/pdf-thread.ts';

/** Memory for the objects of the parser; a file that needs more ends its thread and nothing else. */
const threadMegabytes = 768;

/**
 * PDF: the text of each page in reading order, a form feed between pages, the `pages` chunker for its numbers. The
 * parser works in a thread of its own: a damaged file can make it throw past every handler, loop, or fill memory.
 */
export function createPdfExtractor(bounds = defaultBounds): Extractor {
  const threads = createWorkerPool<PdfJob, Extraction>({
    // The same file before and after compilation.
    file: new URL(`./pdf/pdf-thread${extname(import.meta.url)}`, import.meta.url),
    threads: 1,
    workerData: undefined,
    taskMilliseconds: bounds.milliseconds,
    threadMegabytes,
  });
  return bounded('PDF', bounds, (file) => {
    const bytes = new Uint8Array(file.bytes);
    return threads.run({ bytes, bounds }, [bytes.buffer]);
  });
}

export default createPdfExtractor;
