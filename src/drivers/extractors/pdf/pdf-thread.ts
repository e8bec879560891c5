import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../core/errors.ts';
import { readPdf } from './read-pdf.ts';
import type { PdfAnswer, PdfJob } from './thread-messages.ts';

/** Part of the time that is for reading; the rest is for handing over what was read. */
const readingShare = 0.8;

// On a damaged file the parser leaves rejected promises behind that nobody waits for. They concern the one file
// that this thread is reading: its answer still comes, or its time ends.
process.on('unhandledRejection', () => {});

parentPort?.on('message', async (job: PdfJob) => {
  parentPort?.postMessage(await answer(job));
});

async function answer({ bytes, bounds }: PdfJob): Promise<PdfAnswer> {
  const end = performance.now() + bounds.milliseconds * readingShare;
  try {
    return { extraction: await readPdf(bytes, { passed: () => performance.now() >= end }, bounds) };
  } catch (thrown) {
    const missing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND';
    return { failure: messageOf(thrown), packageMissing: missing };
  }
}
