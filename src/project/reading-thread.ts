import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../core/errors.ts';
import {
  type RawDocument,
  type ReadDocument,
  type ReadingParts,
  readDocument,
} from '../indexing/read-document.ts';
import type { WorkerAnswer } from '../platform/worker-pool.ts';
import { openEmbedder } from './open-driver.ts';
import { readingParts } from './reading.ts';
import type { ReadingThreadData } from './reading-pool.ts';

/** A thread that extracts and cuts files; a file that breaks it breaks nothing else. */
const { settings, stateFolder } = workerData as ReadingThreadData;
let parts: Promise<ReadingParts> | undefined;

parentPort?.on('message', async (raw: RawDocument) => {
  try {
    parts ??= open();
    answer({ value: await readDocument(raw, await parts) });
  } catch (thrown) {
    answer({ failure: messageOf(thrown) });
  }
});

/** The embedder is opened for its tokens alone; it embeds nothing here and is given no environment. */
async function open(): Promise<ReadingParts> {
  const context = { stateFolder, environment: () => undefined };
  return readingParts(settings, await openEmbedder(settings, context));
}

function answer(message: WorkerAnswer<ReadDocument>): void {
  parentPort?.postMessage(message);
}
