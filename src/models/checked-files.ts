import type { BigIntStats } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../core/identity.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { writeDurably } from '../platform/write-durably.ts';

/** A change this soon after another could leave the times of a file as they are. */
const settledAfterMs = 5000;

/** What was read of a file, and its hash: computed, or known from an earlier check of the same file. */
export interface CheckedContent {
  readonly bytes: Buffer;
  readonly hash: string;
}

/**
 * Reads a file of which a certain hash is expected. Where the file has been checked before and its identity, size and
 * times, that of its last change of any kind included, are what they were then, the hash is not computed again: for the
 * weights of a model that takes a tenth of a second. `folder` keeps what was checked and belongs to the user alone.
 */
export async function readChecked(path: string, expected: string, folder: string): Promise<CheckedContent> {
  const record = join(folder, `${sha256(`${path}\0${expected}`).slice(0, 32)}.txt`);
  const handle = await open(path);
  try {
    const before = await handle.stat({ bigint: true });
    const bytes = await handle.readFile();
    const stamp = stampOf(before);
    const isUnchanged = stampOf(await handle.stat({ bigint: true })) === stamp;
    // Without a record the hash is computed.
    if (isUnchanged && (await readFile(record, 'utf8').catch(() => '')) === stamp)
      return { bytes, hash: expected };
    const hash = sha256(bytes);
    if (isUnchanged && hash === expected && isSettled(before)) await keep(folder, record, stamp);
    return { bytes, hash };
  } finally {
    await handle.close();
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

function isSettled({ mtimeMs, ctimeMs }: BigIntStats): boolean {
  return Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs) < Date.now() - settledAfterMs;
}

async function keep(folder: string, record: string, stamp: string): Promise<void> {
  // Without the record the next check computes the hash again.
  await makeFolder(folder, 0o700)
    .then(() => writeDurably(record, stamp, 0o600))
    .catch(() => undefined);
}
