import type { SourceFile } from '../contracts/source.ts';
import type { ManifestEntry } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import type { SkippedPath, SkipReason } from '../core/events.ts';

/** What a scan found, compared with what the index remembers. */
export interface Plan {
  /** Files whose content must be read: new, changed by size or time, or made by another recipe. */
  readonly toRead: readonly SourceFile[];
  /** Files whose content was looked at before and left out, and that have not changed. */
  readonly stillSkipped: readonly SkippedPath[];
  readonly unchanged: number;
  /** Paths with a document that are gone or no longer to be indexed. */
  readonly toDelete: readonly string[];
  /** Paths that were left out last time and that no longer exist. */
  readonly toForget: readonly string[];
}

/** Decides what to do from sizes and times alone; nothing is read. */
export function planRun(
  files: readonly SourceFile[],
  skipped: readonly SkippedPath[],
  manifest: ReadonlyMap<string, ManifestEntry>,
  { recipe, full }: { readonly recipe: string; readonly full: boolean },
): Plan {
  const toRead: SourceFile[] = [];
  const stillSkipped: SkippedPath[] = [];
  for (const file of files) {
    const entry = manifest.get(file.uri);
    if (full || !isUnchanged(file, entry, recipe)) toRead.push(file);
    else if (entry?.status === 'skipped') stillSkipped.push(skippedPathOf(entry));
  }
  // What cannot be looked at today may be back tomorrow: nothing below it is forgotten.
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ uri }) => uri);
  const isHidden = (uri: string) => unreadable.some((path) => uri === path || uri.startsWith(folderOf(path)));
  const present = new Set([...files, ...skipped].map(({ uri }) => uri));
  // What was added through the API has no file that could be missing.
  const gone = [...manifest.values()].filter(({ uri }) => !isHidden(uri) && !isVirtual(uri));
  const found = new Set(files.map(({ uri }) => uri));
  return {
    toRead,
    stillSkipped,
    unchanged: files.length - toRead.length - stillSkipped.length,
    toDelete: gone
      .filter((entry) => entry.status !== 'skipped' && !found.has(entry.uri))
      .map(({ uri }) => uri),
    toForget: gone
      .filter((entry) => entry.status === 'skipped' && !present.has(entry.uri))
      .map(({ uri }) => uri),
  };
}

function skippedPathOf({ uri, reason, detail }: ManifestEntry): SkippedPath {
  // Only skip reasons are stored with the status `skipped`.
  return { uri, reason: reason as SkipReason, rule: detail ?? '' };
}

function isUnchanged(file: SourceFile, entry: ManifestEntry | undefined, recipe: string): boolean {
  return (
    entry !== undefined &&
    entry.status !== 'failed' &&
    entry.recipe === recipe &&
    entry.size === file.size &&
    entry.modifiedAt === file.modifiedAt
  );
}

function folderOf(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
