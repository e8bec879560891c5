import { copyFile, link, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { interrupted, messageOf, QuarryError } from '../../../../core/errors.ts';
import { createThread, threadFile } from '../../../../platform/threads/thread.ts';
import { listGraphFiles } from '../graph/file.ts';

/** What the thread that copies is to do. */
export interface CopyTask {
  readonly from: string;
  /** A path where nothing stands. */
  readonly to: string;
}

/**
 * Copies an index as it is at one moment, compacted, while the process continues to answer; the copy appears under its
 * name only when it is whole. Graphs come along: vectors keep their numbers, and opening a graph shows whether it
 * still fits.
 */
export async function copyDatabase(from: string, to: string, signal?: AbortSignal): Promise<void> {
  const temporary = `${to}.tmp`;
  await rm(temporary, { force: true });
  try {
    await copyInThread({ from, to: temporary }, signal);
    await shareGraphs(from, to);
    await rename(temporary, to);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw thrown instanceof QuarryError ? thrown : endedEarly(from, messageOf(thrown));
  }
}

async function copyInThread(task: CopyTask, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) throw interrupted(signal.reason);
  const thread = createThread<CopyTask, undefined>({
    file: threadFile('./copy-thread', import.meta.url),
    describeDeath: ({ reason }) => endedEarly(task.from, reason),
  });
  // SQLite hears nothing while it copies: the caller is free at once, and what is written goes with the thread.
  const stop = (): void => {
    const removeCopy = () => rm(task.to, { force: true }).catch(() => undefined);
    void thread.end(interrupted(signal?.reason)).then(removeCopy);
  };
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await thread.call(task);
  } finally {
    signal?.removeEventListener('abort', stop);
    await thread.end();
  }
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
