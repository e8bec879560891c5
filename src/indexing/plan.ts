import type { SourceFile } from '../contracts/source.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import type { SkippedPath, SkipReason } from '../core/events.ts';
import type { PathScope } from '../core/path-scope.ts';

/** What the index holds before a run. */
export interface Remembered {
  readonly manifest: ReadonlyMap<string, ManifestEntry>;
  /** Uris that have a document. */
  readonly stored: ReadonlySet<string>;
}

// A store that has not changed may give the very list that it gave before: what was made of it still holds.
const manifests = new WeakMap<readonly ManifestEntry[], Remembered['manifest']>();
const uriSets = new WeakMap<readonly string[], Remembered['stored']>();

/** Reads what the index holds; a project that was never indexed has no store, and nothing is remembered. */
export async function remember(store: Store | undefined): Promise<Remembered> {
  const entries = (await store?.manifest()) ?? [];
  const manifest = manifests.get(entries) ?? new Map(entries.map((entry) => [entry.uri, entry]));
  manifests.set(entries, manifest);
  const uris = (await store?.paths()) ?? [];
  const stored = uriSets.get(uris) ?? new Set(uris);
  uriSets.set(uris, stored);
  return { manifest, stored };
}

/** What a scan found, compared with what the index remembers. */
export interface Plan {
  /** Files whose content must be read: new, changed by size or time, or made by another recipe. */
  readonly toRead: readonly SourceFile[];
  /** Files whose content was looked at before and left out, and that have not changed. */
  readonly stillSkipped: readonly SkippedPath[];
  /** Files whose content could not be taken in, and that have not changed: reading them again would fail again. */
  readonly stillFailed: number;
  readonly unchanged: number;
  /** Documents whose file is gone or no longer to be indexed. */
  readonly toDelete: readonly string[];
  /** Other remembered paths that no longer exist. */
  readonly toForget: readonly string[];
}

/** How a run is planned. */
export interface PlanOptions {
  readonly recipe: string;
  readonly full: boolean;
  /** The part of the tree that was scanned; what lies elsewhere is left as it is. */
  readonly scope?: PathScope | undefined;
}

/** Decides what to do from sizes and times alone; nothing is read. */
export function planRun(
  files: readonly SourceFile[],
  skipped: readonly SkippedPath[],
  { manifest, stored }: Remembered,
  { recipe, full, scope }: PlanOptions,
): Plan {
  const toRead: SourceFile[] = [];
  const stillSkipped: SkippedPath[] = [];
  let stillFailed = 0;
  for (const file of files) {
    const entry = manifest.get(file.uri);
    if (full || !entry || !isSettled(file, entry, recipe, stored)) toRead.push(file);
    else if (entry.status === 'skipped') stillSkipped.push(skippedPathOf(entry));
    else if (entry.status === 'failed') stillFailed += 1;
  }
  // What cannot be looked at today may be back tomorrow: nothing below it is forgotten.
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ uri }) => uri);
  const isHidden = (uri: string) => unreadable.some((path) => uri === path || uri.startsWith(folderOf(path)));
  // What was added through the API has no file that could be missing.
  const mayBeGone = (uri: string) =>
    !isVirtual(uri) && !isHidden(uri) && (scope === undefined || scope.holds(uri));
  const found = new Set(files.map(({ uri }) => uri));
  const leftOut = new Set(skipped.map(({ uri }) => uri));
  const toDelete = [...stored].filter((uri) => !found.has(uri) && mayBeGone(uri));
  const deleted = new Set(toDelete);
  const isAccounted = (uri: string) => found.has(uri) || leftOut.has(uri) || deleted.has(uri);
  return {
    toRead,
    stillSkipped,
    stillFailed,
    unchanged: files.length - toRead.length - stillSkipped.length - stillFailed,
    toDelete,
    toForget: [...manifest.keys()].filter((uri) => !isAccounted(uri) && mayBeGone(uri)),
  };
}

/** Whether what the index remembers of a file still holds. A file that could not be opened is tried again. */
function isSettled(
  file: SourceFile,
  entry: ManifestEntry,
  recipe: string,
  stored: ReadonlySet<string>,
): boolean {
  if (entry.status === 'indexed' && !stored.has(file.uri)) return false;
  return (
    entry.contentHash !== '' &&
    entry.recipe === recipe &&
    entry.size === file.size &&
    entry.modifiedAt === file.modifiedAt
  );
}

function skippedPathOf({ uri, reason, detail }: ManifestEntry): SkippedPath {
  // Only skip reasons are stored with the status `skipped`.
  return { uri, reason: reason as SkipReason, rule: detail ?? '' };
}

function folderOf(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
