import { QuarryError } from '../core/errors.ts';
import type { ReadDocument, Reading } from '../indexing/read-document.ts';
import { hasRecogniser } from '../models/added-models.ts';
import { beforeReading } from '../platform/lean-wasm.ts';
import { threadFile } from '../platform/package-folder.ts';
import { createBoundedPool } from '../platform/threads/bounded-pool.ts';
import { resourcesOf } from '../settings/resources.ts';
import type { Settings } from '../settings/settings.ts';
import { formatOf } from './formats.ts';
import type { ReadingSettings } from './reading.ts';
import type { ReadingTask } from './reading-task.ts';
import { openRecognition } from './recognition-pool.ts';

/** What reads files in threads. */
export type ReadingThreads = Pick<Reading, 'read' | 'rest' | 'close'>;

/** In parallel, and with bounds on time and memory that no library can break. No thread starts before the first file. */
export function openReadingThreads(settings: Settings, cacheFolder: string): ReadingThreads {
  const { readingThreads: threads, readerMegabytes: threadMegabytes, modelThreads } = resourcesOf(settings);
  const pool = createBoundedPool<ReadingTask, ReadDocument>({
    file: threadFile('reading/reading-thread'),
    threads,
    taskMilliseconds: settings.index.file_seconds * 1000,
    threadMegabytes,
    remedies: {
      time: 'Raise index.file_seconds, or leave the file out with index.exclude.',
      memory: 'Raise resources.memory_mb, or leave the file out with index.exclude.',
      crash: 'Leave the file out with index.exclude, or correct it.',
    },
  });
  const recognition = openRecognition(settings, cacheFolder, {
    threads: modelThreads,
    megabytes: threadMegabytes,
  });
  const { chunking, chunkers, types, origins, max_age_days } = settings;
  const { redact_secrets, max_file_bytes } = settings.index;
  const index = { redact_secrets, max_file_bytes };
  const forThread = JSON.stringify({
    chunking,
    chunkers,
    types,
    origins,
    max_age_days,
    index,
  } satisfies ReadingSettings);
  return {
    async read(raw, options = {}) {
      beforeReading();
      const { bytes } = raw;
      const { extractor } = formatOf(raw.file.uri);
      const mayHoldPictures = ['picture', 'pdf'].includes(extractor) && hasRecogniser(cacheFolder);
      if (mayHoldPictures && extractor === 'picture') return recognition.read(raw, forThread, options);
      // Bytes that have a buffer to themselves (small ones share a pool) travel without a copy.
      const spare = bytes.buffer.byteLength - bytes.byteLength;
      const transfer = spare <= 1 && !mayHoldPictures ? [bytes.buffer as ArrayBuffer] : [];
      const weight = { bytes: bytes.byteLength, transfer, threads: options.threads };
      const read = await pool.run({ settings: forThread, raw }, weight);
      // Most PDFs have a text, and need no recogniser.
      if (!mayHoldPictures || !lacksPictures(read)) return read;
      const whole = await recognition.read(raw, forThread, options).catch((thrown: unknown) => {
        if (read.kind === 'document' && thrown instanceof QuarryError && thrown.code === 'worker-failed')
          return undefined;
        throw thrown;
      });
      if (read.kind !== 'document' || whole?.kind === 'document') return whole ?? read;
      // The text is there all the same. The note is another one, so that it is not tried again at each run.
      return { ...read, unreadPages: 0, degraded: 'its pictures cannot be read' };
    },
    rest: async () => void (await Promise.all([pool.rest(), recognition.rest()])),
    close: async () => void (await Promise.all([pool.close(), recognition.close()])),
  };
}

/** Whether a file has pages that are pictures, which nobody has read. */
function lacksPictures(read: ReadDocument): boolean {
  return read.kind === 'skipped' ? read.skipped.reason === 'picture' : (read.unreadPages ?? 0) > 0;
}
