import { lstat, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Source, SourceEntry } from '../../contracts/source.ts';
import { isVirtual } from '../../core/document.ts';
import { interrupted, messageOf } from '../../core/errors.ts';
import { keptDamaged, keptFileName, keptFolderName, uriInKept } from '../../core/kept-content.ts';
import { pathScope } from '../../core/path-scope.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import { keptFiles, keptFolderOf, unreadable } from './kept-folder.ts';

/** Bytes that hold the first two lines of nearly every file. */
const usualHead = 4096;
const filesAtOnce = 16;

/** The content that was added to a project, one file for each document. */
export function createKeptSource(project: string): Source {
  const folder = keptFolderOf(project);
  return {
    async *scan({ only, signal } = {}) {
      const scope = only && pathScope(only);
      const look = (name: string) => examine(folder, name);
      for await (const outcome of mapConcurrently(await keptFiles(project), filesAtOnce, look)) {
        if (signal?.aborted) throw interrupted(signal.reason);
        if ('error' in outcome) throw unreadable(folder, outcome.error);
        const entry = outcome.value;
        if (entry && (!scope || (entry.kind === 'file' && scope.holds(entry.file.uri)))) yield entry;
      }
    },
    async read(uri) {
      const path = join(folder, keptFileName(uri));
      return readFile(path).catch((cause: unknown) => {
        throw unreadable(path, cause);
      });
    },
  };
}

/** A file as the scan reports it; nothing where it was removed meanwhile. */
async function examine(folder: string, name: string): Promise<SourceEntry | undefined> {
  const path = join(folder, name);
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return damaged(name, 'it is not a regular file');
    const uri = uriInKept(await headOf(path, stats.size), name);
    if (uri === undefined) return damaged(name, 'its first lines do not describe it');
    const { size, mtimeMs: modifiedAt, ctimeMs: changedAt } = stats;
    return { kind: 'file', file: { uri, size, modifiedAt, changedAt } };
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : damaged(name, messageOf(cause));
  }
}

async function headOf(path: string, size: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(usualHead);
    const { bytesRead } = await file.read(bytes, 0, usualHead, 0);
    const head = bytes.subarray(0, bytesRead);
    const isWhole = head.indexOf(10, head.indexOf(10) + 1) >= 0 || size <= usualHead;
    return isWhole ? head : await file.readFile();
  } finally {
    await file.close();
  }
}

/** What is indexed of it stays, and each run says so until it is repaired, added again or removed. */
function damaged(name: string, why: string): SourceEntry {
  return {
    kind: 'skipped',
    skipped: { uri: `${keptFolderName}/${name}`, reason: 'unreadable', rule: why },
    trouble: {
      error: keptDamaged(name, why),
      isEmpty: false,
      holds: (uri) => isVirtual(uri) && keptFileName(uri) === name,
    },
  };
}
