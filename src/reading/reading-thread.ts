import { type ReadDocument, type ReadingParts, readDocument } from '../indexing/read-document.ts';
import type { BusyFlag } from '../models/inference/busy-flag.ts';
import { bundledTokenizer } from '../models/tokenizers/bundled.ts';
import { type Once, once } from '../platform/once.ts';
import { serveInTurn, threadData } from '../platform/threads/serve-calls.ts';
import type { fileRecognisers } from './file-recogniser.ts';
import { readingParts } from './reading.ts';
import type { PagesRead, ReadingTask, RecognitionSettings } from './reading-task.ts';

/** A thread that extracts and cuts files; a file that breaks it breaks nothing else. */
let current: { readonly settings: string; readonly parts: Once<ReadingParts> } | undefined;

/** Sizes are in tokens of the bundled model, whichever embedder is used: changing it leaves the chunks as they are. */
function partsFor(settings: string): Promise<ReadingParts> {
  if (current?.settings !== settings)
    current = {
      settings,
      parts: once(async () => {
        const tokenizer = bundledTokenizer();
        return readingParts(JSON.parse(settings), (text) => tokenizer.encode(text).length);
      }),
    };
  return current.parts();
}

// On a damaged file a parser may leave rejected promises behind that nobody waits for. They concern the one file that
// this thread is reading: its answer still comes, or its time ends.
process.on('unhandledRejection', () => {});

/** The models of the recogniser stay open for the next file. */
let recognisers: ReturnType<typeof fileRecognisers> | undefined;

/** Loaded where a picture is read: what checks the pages that are kept is most of what such a thread would load. */
async function recogniserFor(recognition: RecognitionSettings): Promise<ReturnType<typeof fileRecognisers>> {
  const { fileRecognisers } = await import('./file-recogniser.ts');
  recognisers ??= fileRecognisers(recognition, threadData<{ readonly flag?: BusyFlag } | undefined>()?.flag);
  return recognisers;
}

serveInTurn<ReadingTask, ReadDocument, PagesRead>(async ({ settings, raw, recognition }, { report }) => ({
  value: await readDocument(
    raw,
    await partsFor(settings),
    recognition && (await recogniserFor(recognition))(raw, report),
  ),
}));
