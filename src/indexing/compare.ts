import type { Source, SourceFile } from '../contracts/source.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import { sha256 } from '../core/identity.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { resultOf } from '../platform/streams.ts';
import { holdsForContent, planRun, type Remembered, remember } from './plan.ts';
import { scanSource } from './scan.ts';

/** How far an index is behind its files: what the next run would look at. */
export interface ChangeCounts {
  /** Files that the index does not know yet. */
  readonly added: number;
  /** Files that changed since they were looked at. */
  readonly changed: number;
  /** Documents whose file is gone, or is left out now. */
  readonly deleted: number;
}

/** What a comparison works with. */
export interface ComparedParts {
  readonly source: Source;
  /** The index; a project that was never indexed has none. */
  readonly store: Store | undefined;
  /** Names how files are read and cut today. */
  readonly recipe: string;
}

/** Few, so that looking at an index never gets in the way of other work. */
const filesAtOnce = 4;

/** Bytes that are read of files whose size and time are those of before; after a `chmod` that may be all of them. */
const maxSuspectBytes = 256 * 2 ** 20;

/**
 * Compares an index with its files as they are at this moment. It goes by size and time; only files are read whose
 * times say nothing: those that were indexed while they were still warm, and those that were touched since the last
 * scan, of which so many are looked at and the others believed to be as they were.
 */
export async function compareWithFiles(
  { source, store, recipe }: ComparedParts,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangeCounts> {
  const scan = await resultOf(scanSource(source, options));
  // Read after the scan: what a run has taken in meanwhile is not called changed.
  const remembered = await remember(store);
  // That a file which took too long will be tried again is no news.
  const choice = { recipe, passOverCutShort: true };
  const { toRead, toDelete } = planRun(scan, remembered, { ...choice, full: false });
  const known = toRead.flatMap((file) => {
    const entry = remembered.manifest.get(file.uri);
    return entry ? [{ file, entry }] : [];
  });
  let changed = 0;
  let suspectBytes = 0;
  const look = async ({ file, entry }: (typeof known)[number]): Promise<boolean> => {
    const verdict = byLooks(file, entry, remembered, holdsForContent(entry, choice));
    if (verdict === 'changed' || verdict === 'unchanged') return verdict === 'changed';
    if (verdict === 'suspect' && suspectBytes + file.size > maxSuspectBytes) return false;
    if (verdict === 'suspect') suspectBytes += file.size;
    return sha256(await source.read(file.uri)) !== entry.contentHash;
  };
  for await (const outcome of mapConcurrently(known, filesAtOnce, look)) {
    if (!('value' in outcome) || outcome.value) changed += 1;
  }
  return { added: toRead.length - known.length, changed, deleted: toDelete.length };
}

/** What can be said of a file without reading it; what is warm or suspect has to be read. */
function byLooks(
  file: SourceFile,
  entry: ManifestEntry,
  { stored }: Remembered,
  holds: boolean,
): 'changed' | 'unchanged' | 'warm' | 'suspect' {
  if (entry.size !== file.size) return 'changed';
  const isSameTime = entry.modifiedAt === file.modifiedAt;
  // It could not be opened and is listed as failed; that it will be tried again is no news.
  if (entry.contentHash === '') return entry.status === 'failed' && isSameTime ? 'unchanged' : 'changed';
  if (!holds || (entry.status === 'indexed' && !stored.has(file.uri))) return 'changed';
  if (entry.modifiedAt === 0) return 'warm';
  return isSameTime ? 'suspect' : 'changed';
}
