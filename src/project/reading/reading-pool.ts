import type { RawDocument, ReadDocument, Reading } from '../../indexing/read-document.ts';
import { beforeReading } from '../../platform/lean-wasm.ts';
import { threadFile } from '../../platform/package-folder.ts';
import { createBoundedPool, tasksPerThread } from '../../platform/threads/bounded-pool.ts';
import { resourcesOf } from '../resources.ts';
import type { Settings } from '../settings/settings.ts';
import { recipeOf } from './recipe.ts';

/** Files under way for each thread: those that it has, and two that are being read. */
const filesPerThread = tasksPerThread + 2;

/** What a reading thread is started with. */
export interface ReadingThreadData {
  readonly settings: Settings;
}

/** Reads files in threads: in parallel, and with bounds on time and memory that no library can break. */
export function openReading(settings: Settings): Reading {
  const { readingThreads: threads, readerMegabytes: threadMegabytes, bytesAtOnce } = resourcesOf(settings);
  const pool = createBoundedPool<RawDocument, ReadDocument>({
    file: threadFile('project/reading/reading-thread'),
    threads,
    data: { settings } satisfies ReadingThreadData,
    taskMilliseconds: settings.index.file_seconds * 1000,
    threadMegabytes,
    remedies: {
      time: 'Raise index.file_seconds, or leave the file out with index.exclude.',
      memory: 'Raise resources.memory_mb, or leave the file out with index.exclude.',
      crash: 'Leave the file out with index.exclude, or mend it.',
    },
  });
  return {
    recipe: recipeOf(settings),
    concurrency: threads * filesPerThread,
    bytesAtOnce,
    maxAgeDays: settings.max_age_days,
    read(raw) {
      beforeReading();
      const { bytes } = raw;
      // Bytes that have a buffer to themselves (small ones share a pool) travel without a copy.
      const spare = bytes.buffer.byteLength - bytes.byteLength;
      const transfer = spare <= 1 ? [bytes.buffer as ArrayBuffer] : [];
      return pool.run(raw, { bytes: bytes.byteLength, transfer });
    },
    rest: () => pool.rest(),
    close: () => pool.close(),
  };
}
