import { interrupted } from '../core/errors.ts';
import type { RawDocument, ReadDocument, ReadingOptions } from '../indexing/read-document.ts';
import { recogniserIn } from '../models/added-models.ts';
import { createBusyFlag, markIdle } from '../models/inference/busy-flag.ts';
import { threadFile } from '../platform/package-folder.ts';
import { type BoundedPool, createBoundedPool } from '../platform/threads/bounded-pool.ts';
import type { Settings } from '../settings/settings.ts';
import type { PagesRead, ReadingTask, RecognitionSettings } from './reading-task.ts';

/** How much longer than another file one may take whose pictures are read. */
const timesLonger = 20;

/** Reads files with the pictures in them, one file at a time: the models use all threads. */
export interface RecognitionPool {
  /** Stopping it ends its thread: a page takes seconds, and a file may have thousands. */
  read(raw: RawDocument, settings: string, options: ReadingOptions): Promise<ReadDocument>;
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** Starts nothing before the first picture. */
export function openRecognition(
  settings: Settings,
  cacheFolder: string,
  { threads, megabytes }: { readonly threads: number; readonly megabytes: number },
): RecognitionPool {
  const { file_seconds: fileSeconds, redact_secrets: redactSecrets } = settings.index;
  const milliseconds = timesLonger * fileSeconds * 1000;
  const recognition: RecognitionSettings = {
    installed: recogniserIn(cacheFolder),
    cacheFolder,
    threads,
    milliseconds,
    redactSecrets,
  };
  let pool: BoundedPool<ReadingTask, ReadDocument, PagesRead> | undefined;
  const open = (): BoundedPool<ReadingTask, ReadDocument, PagesRead> => {
    const flag = createBusyFlag();
    return createBoundedPool<ReadingTask, ReadDocument, PagesRead>({
      file: threadFile('reading/reading-thread'),
      threads: 1,
      data: { flag },
      onEnd: () => markIdle(flag),
      taskMilliseconds: milliseconds + fileSeconds * 1000,
      threadMegabytes: megabytes,
      remedies: {
        time: 'Raise index.file_seconds, or leave the file out with index.exclude.',
        memory: 'Raise resources.memory_mb, or leave the file out with index.exclude.',
        crash: 'Leave the file out with index.exclude, or correct it.',
      },
    });
  };
  return {
    async read(raw, forThread, { onPage, signal }) {
      if (signal?.aborted) throw interrupted(signal.reason);
      pool ??= open();
      const used = pool;
      const stop = (): void => {
        if (pool === used) pool = undefined;
        // Callers that wait for the file get the error; the thread ends when it can.
        used.close().catch(() => undefined);
      };
      signal?.addEventListener('abort', stop, { once: true });
      try {
        const weight = { bytes: raw.bytes.byteLength, transfer: [] };
        return await used.run({ settings: forThread, raw, recognition }, weight, onPage);
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    },
    rest: async () => pool?.rest(),
    close: async () => pool?.close(),
  };
}
