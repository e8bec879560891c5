import type { RawDocument, ReadDocument, Reading } from '../../indexing/read-document.ts';
import { beforeReading } from '../../platform/lean-wasm.ts';
import { threadFile } from '../../platform/package-folder.ts';
import { createBoundedPool, tasksPerThread } from '../../platform/threads/bounded-pool.ts';
import { resourcesOf } from '../resources.ts';
import type { Settings } from '../settings/settings.ts';
import { namesBeside } from './names-beside.ts';
import type { ReadingSettings } from './reading.ts';
import { recipeOf } from './recipe.ts';

/** Files under way for each thread: those that it has, and two that are being read. */
const filesPerThread = tasksPerThread + 2;

/** What a reading thread is asked: it may have served another project before. */
export interface ReadingTask {
  /** `ReadingSettings` as JSON. */
  readonly settings: string;
  readonly raw: RawDocument;
}

/** Reads files in threads: in parallel, and with bounds on time and memory that no library can break. */
export function openReading(settings: Settings): Reading {
  const { readingThreads: threads, readerMegabytes: threadMegabytes, bytesAtOnce } = resourcesOf(settings);
  const pool = createBoundedPool<ReadingTask, ReadDocument>({
    file: threadFile('project/reading/reading-thread'),
    threads,
    taskMilliseconds: settings.index.file_seconds * 1000,
    threadMegabytes,
    remedies: {
      time: 'Raise index.file_seconds, or leave the file out with index.exclude.',
      memory: 'Raise resources.memory_mb, or leave the file out with index.exclude.',
      crash: 'Leave the file out with index.exclude, or mend it.',
    },
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
    recipe: recipeOf(settings),
    concurrency: threads * filesPerThread,
    bytesAtOnce,
    maxAgeDays: settings.max_age_days,
    beside: namesBeside,
    read(raw) {
      beforeReading();
      const { bytes } = raw;
      // Bytes that have a buffer to themselves (small ones share a pool) travel without a copy.
      const spare = bytes.buffer.byteLength - bytes.byteLength;
      const transfer = spare <= 1 ? [bytes.buffer as ArrayBuffer] : [];
      return pool.run({ settings: forThread, raw }, { bytes: bytes.byteLength, transfer });
    },
    rest: () => pool.rest(),
    close: () => pool.close(),
  };
}
