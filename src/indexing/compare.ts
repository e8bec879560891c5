import type { Source, SourceFile } from '../contracts/source.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import type { SkippedPath } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { planRun, remember } from './plan.ts';

/** How far an index is behind its files: what the next run would look at. */
export interface ChangeCounts {
  /** Files that the index does not know yet. */
  readonly added: number;
  /** Files that changed since they were looked at, or that the settings now cut another way. */
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

/**
 * Compares an index with its files as they are at this moment. It goes by size and time; only files that were indexed
 * while they were still warm, whose times say nothing yet, are read.
 */
export async function compareWithFiles(
  { source, store, recipe }: ComparedParts,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ChangeCounts> {
  const files: SourceFile[] = [];
  const skipped: SkippedPath[] = [];
  for await (const entry of source.scan(options)) {
    if (entry.kind === 'file') files.push(entry.file);
    else skipped.push(entry.skipped);
  }
  // Read after the scan: what a run has taken in meanwhile is not called changed.
  const remembered = await remember(store);
  const { toRead, toDelete } = planRun(files, skipped, remembered, { recipe, full: false });
  const known = toRead.flatMap((file) => {
    const entry = remembered.manifest.get(file.uri);
    return entry ? [{ file, entry }] : [];
  });
  let changed = 0;
  const look = ({ file, entry }: (typeof known)[number]) => hasChanged(source, file, entry, recipe);
  for await (const outcome of mapConcurrently(known, filesAtOnce, look)) {
    if (!('value' in outcome) || outcome.value) changed += 1;
  }
  return { added: toRead.length - known.length, changed, deleted: toDelete.length };
}

async function hasChanged(
  source: Source,
  file: SourceFile,
  entry: ManifestEntry,
  recipe: string,
): Promise<boolean> {
  if (entry.size !== file.size) return true;
  // It could not be opened and is listed as failed; that it will be tried again is no news.
  if (entry.contentHash === '') return entry.status !== 'failed' || entry.modifiedAt !== file.modifiedAt;
  if (entry.recipe !== recipe || entry.modifiedAt !== 0) return true;
  return sha256(await source.read(file.uri)) !== entry.contentHash;
}
