import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import { bundledTokenizer } from '../../drivers/tokenizers/bundled.ts';
import {
  type RawDocument,
  type ReadDocument,
  type ReadingParts,
  readDocument,
} from '../../indexing/read-document.ts';
import type { WorkerAnswer } from '../../platform/worker-pool.ts';
import { readingParts } from './reading.ts';
import type { ReadingThreadData } from './reading-pool.ts';

/** A thread that extracts and cuts files; a file that breaks it breaks nothing else. */
const { settings } = workerData as ReadingThreadData;
let parts: Promise<ReadingParts> | undefined;

parentPort?.on('message', async (raw: RawDocument) => {
  try {
    parts ??= open();
    answer({ value: await readDocument(raw, await parts) });
  } catch (thrown) {
    answer({ failure: messageOf(thrown) });
  }
});

/** Sizes are in tokens of the bundled model, whichever embedder is used: changing it leaves the chunks as they are. */
async function open(): Promise<ReadingParts> {
  const tokenizer = await bundledTokenizer();
  return readingParts(settings, (text) => tokenizer.encode(text).length);
}

function answer(message: WorkerAnswer<ReadDocument>): void {
  parentPort?.postMessage(message);
}
