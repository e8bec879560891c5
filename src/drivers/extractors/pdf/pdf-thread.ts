import { parentPort } from 'node:worker_threads';
import type { Extraction } from '../../../contracts/extractor.ts';
import { messageOf } from '../../../core/errors.ts';
import type { WorkerAnswer } from '../../../platform/worker-pool.ts';
import type { Bounds } from '../bounds.ts';
import { readPdf } from './read-pdf.ts';

/** One file for the thread that reads PDF. */
export interface PdfJob {
  readonly bytes: Uint8Array;
  readonly bounds: Bounds;
}

/** Part of the time that is for reading; the rest is for handing over what was read. */
const readingShare = 0.8;

// On a damaged file the parser leaves rejected promises behind that nobody waits for. They concern the one file
// that this thread is reading: its answer still comes, or its time ends.
process.on('unhandledRejection', () => {});

parentPort?.on('message', async (job: PdfJob) => {
  parentPort?.postMessage(await answer(job));
});

async function answer({ bytes, bounds }: PdfJob): Promise<WorkerAnswer<Extraction>> {
  const end = performance.now() + bounds.milliseconds * readingShare;
  try {
    return { value: await readPdf(bytes, { passed: () => performance.now() >= end }, bounds) };
  } catch (thrown) {
    return { failure: messageOf(thrown) };
  }
}
