import { workerData } from 'node:worker_threads';
import { type RawDocument, type ReadDocument, readDocument } from '../../indexing/read-document.ts';
import { bundledTokenizer } from '../../models/tokenizers/bundled.ts';
import { once } from '../../platform/once.ts';
import { serveInTurn } from '../../platform/threads/serve-calls.ts';
import { readingParts } from './reading.ts';
import type { ReadingThreadData } from './reading-pool.ts';

/** A thread that extracts and cuts files; a file that breaks it breaks nothing else. */
const { settings } = workerData as ReadingThreadData;

/** Sizes are in tokens of the bundled model, whichever embedder is used: changing it leaves the chunks as they are. */
const parts = once(async () => {
  const tokenizer = await bundledTokenizer();
  return readingParts(settings, (text) => tokenizer.encode(text).length);
});

// On a damaged file a parser may leave rejected promises behind that nobody waits for. They concern the one file that
// this thread is reading: its answer still comes, or its time ends.
process.on('unhandledRejection', () => {});

serveInTurn<RawDocument, ReadDocument>(async (raw) => ({ value: await readDocument(raw, await parts()) }));
