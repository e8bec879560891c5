import { copyFile, link, rename, rm } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, messageOf, QuarryError } from '../../../../core/errors.ts';
import { listGraphFiles } from '../graph/file.ts';

/** What the thread that copies is to do. */
export interface CopyTask {
  readonly from: string;
  /** A path where nothing stands. */
  readonly to: string;
}

/** What that thread sends when it has finished. */
export interface CopyAnswer {
  readonly failure?: { readonly code: ErrorCode; readonly message: string; readonly remedy: string };
}

/**
 * Copies an index as it is at one moment, compacted, while the process continues to answer; the copy appears under its
 * name only when it is whole. Graphs come along: vectors keep their numbers, and opening a graph shows whether it
 * still fits.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const temporary = `${to}.tmp`;
  await rm(temporary, { force: true });
  try {
    await copyInThread({ from, to: temporary });
    await shareGraphs(from, to);
    await rename(temporary, to);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw thrown instanceof QuarryError ? thrown : endedEarly(from, messageOf(thrown));
  }
}

function copyInThread(task: CopyTask): Promise<void> {
  // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
  const file = new URL(`./copy-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData: task, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.on('message', ({ failure }: CopyAnswer) => {
      if (failure) reject(new QuarryError(failure.code, failure.message, failure.remedy));
      else resolve();
    });
    worker.on('error', (cause) => reject(endedEarly(task.from, messageOf(cause))));
    worker.on('exit', (code) => reject(endedEarly(task.from, `the thread ended with code ${code}`)));
  });
}

function endedEarly(path: string, reason: string): QuarryError {
  return new QuarryError(
    'store-unusable',
    `Copying the index ${path} ended before it was done: ${reason}.`,
    'Check that there is free memory and disk space, then run the same command again.',
  );
}

/** A graph is never written in place, so that two indexes may have the same file; without one a new one is made. */
async function shareGraphs(from: string, to: string): Promise<void> {
  for (const { path } of listGraphFiles(from)) {
    const shared = `${to}${basename(path).slice(basename(from).length)}`;
    // What stands there may be a graph that a third index shares: writing over it would change that one too.
    await rm(shared, { force: true });
    await link(path, shared).catch(() => copyFile(path, shared).catch(() => rm(shared, { force: true })));
  }
}
