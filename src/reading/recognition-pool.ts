import type { RawDocument, ReadDocument } from '../indexing/read-document.ts';
import { createBusyFlag, markIdle } from '../models/inference/busy-flag.ts';
import { hasRecogniser, recogniserIn } from '../models/model-files.ts';
import { threadFile } from '../platform/package-folder.ts';
import { type BoundedPool, createBoundedPool } from '../platform/threads/bounded-pool.ts';
import type { Settings } from '../settings/settings.ts';
import type { PagesRead, ReadingTask, RecognitionSettings } from './reading-task.ts';

/** How much longer than another file one may take whose pictures are read. */
const timesLonger = 20;

/** Reads files with the pictures in them, one file at a time: the models use all threads. */
export interface RecognitionPool {
  /** Whether a recogniser is installed. */
  isThere(): boolean;
  read(raw: RawDocument, settings: string, onPage: (read: PagesRead) => void): Promise<ReadDocument>;
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
        crash: 'Leave the file out with index.exclude, or mend it.',
      },
    });
  };
  return {
    isThere: () => hasRecogniser(cacheFolder),
    read(raw, forThread, onPage) {
      pool ??= open();
      return pool.run(
        { settings: forThread, raw, recognition },
        { bytes: raw.bytes.byteLength, transfer: [] },
        onPage,
      );
    },
    rest: async () => pool?.rest(),
    close: async () => pool?.close(),
  };
}
