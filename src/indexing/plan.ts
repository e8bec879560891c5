import type { SourceFile } from '../contracts/source.ts';
import type { IndexState, ManifestEntry, Store } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import type { PathScope } from '../core/documents/path-scope.ts';
import type { QuarryError } from '../core/errors.ts';
import type { SkippedPath, SkipReason } from '../core/events.ts';
import { unreadPagesNote } from '../core/skipped-paths.ts';
import { holdingsOf, noHoldings } from '../index/holdings.ts';
import { isStale } from './recipe.ts';
import { mayHaveChanged, type Scan, type ScanMemory, scannedAt } from './scan.ts';

/** What the index holds before a run. */
export interface Remembered extends ScanMemory {
  readonly manifest: ReadonlyMap<string, ManifestEntry>;
  /** Uris that have a document. */
  readonly stored: ReadonlySet<string>;
}

/** Reads what the index holds; a project that was never indexed has no store, and nothing is remembered. */
export async function remember(store: Store | undefined, known?: IndexState): Promise<Remembered> {
  const state = known ?? (await store?.state());
  if (!store || !state) return { ...noHoldings, scannedAt: undefined };
  const { manifest, stored } = await holdingsOf(store, state);
  return { manifest, stored, scannedAt: scannedAt(state) };
}

/** What a scan found, compared with what the index remembers. */
export interface Plan {
  /** Files whose content must be read: new, perhaps changed, or left out by another recipe. */
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
  /** Errors of roots that cannot be read, or that are empty now; their documents stay. */
  readonly troubles: readonly QuarryError[];
}

/** How a run is planned. */
export interface PlanOptions {
  readonly recipe: string;
  readonly full: boolean;
  /** The part of the tree that was scanned; what lies elsewhere is left as it is. */
  readonly scope?: PathScope | undefined;
  /** Leave files alone that took too much time or memory, as long as they do not change. */
  readonly passOverCutShort?: boolean | undefined;
  /** Leave everything as previous settings had it, as long as the file does not change. */
  readonly leaveStale?: boolean | undefined;
  /** Whether the text of pictures is read, so that what lacks it is read again. */
  readonly readsPictures?: boolean | undefined;
}

/** Decides what to do from sizes and times alone; nothing is read. */
export function planRun(scan: Scan, remembered: Remembered, options: PlanOptions): Plan {
  const { files, skipped } = scan;
  const { manifest, stored } = remembered;
  const { full, scope } = options;
  const toRead: SourceFile[] = [];
  const stillSkipped: SkippedPath[] = [];
  let stillFailed = 0;
  const met = { inManifest: 0, stored: 0 };
  for (const file of files) {
    const entry = manifest.get(file.uri);
    if (entry) met.inManifest += 1;
    if (stored.has(file.uri)) met.stored += 1;
    const isSettled = !full && entry && holdsStill(file, entry, remembered, options);
    if (!isSettled || mayHaveChanged(file, scan, remembered)) toRead.push(file);
    else if (entry.status === 'skipped') stillSkipped.push(skippedPathOf(entry));
    else if (entry.status === 'failed') stillFailed += 1;
  }
  // What cannot be looked at today may be back tomorrow: nothing below it is forgotten.
  const unreadable = skipped.filter(({ reason }) => reason === 'unreadable').map(({ uri }) => uri);
  // Nor is what was in a root that is suddenly empty, unless a full run was asked for.
  const troubles = scan.troubles.filter(({ isEmpty }) => !(isEmpty && full));
  const isHidden = (uri: string) =>
    unreadable.some((path) => uri === path || uri.startsWith(folderOf(path))) ||
    troubles.some((trouble) => trouble.holds(uri));
  // Added content is removed by name alone: one whose kept file is missing may have lost it by accident.
  const mayBeGone = (uri: string) =>
    !isVirtual(uri) && !isHidden(uri) && (scope === undefined || scope.holds(uri));
  for (const { uri } of skipped) if (manifest.has(uri)) met.inManifest += 1;
  // Most often nothing is gone, which the counts show without another look at every path: each is met once.
  const isAllThere = met.inManifest === manifest.size && met.stored === stored.size;
  const gone = isAllThere ? { toDelete: [], toForget: [] } : findGone(scan, remembered, mayBeGone);
  return {
    toRead,
    stillSkipped,
    stillFailed,
    unchanged: files.length - toRead.length - stillSkipped.length - stillFailed,
    ...gone,
    troubles: troubles
      .filter(({ isEmpty, holds }) => !isEmpty || [...stored].some((uri) => !isVirtual(uri) && holds(uri)))
      .map(({ error }) => error),
  };
}

/** What the index holds of paths that the scan did not meet. */
function findGone(
  { files, skipped }: Scan,
  { manifest, stored }: Remembered,
  mayBeGone: (uri: string) => boolean,
): Pick<Plan, 'toDelete' | 'toForget'> {
  const found = new Set(files.map(({ uri }) => uri));
  const leftOut = new Set(skipped.map(({ uri }) => uri));
  const toDelete = [...stored].filter((uri) => !found.has(uri) && mayBeGone(uri));
  const deleted = new Set(toDelete);
  const isAccounted = (uri: string) => found.has(uri) || leftOut.has(uri) || deleted.has(uri);
  return { toDelete, toForget: [...manifest.keys()].filter((uri) => !isAccounted(uri) && mayBeGone(uri)) };
}

/** Whether a file was read, but took more time or memory than it may: with higher limits it may be taken in. */
export function wasFileCutShort({ status, contentHash, recipe }: ManifestEntry): boolean {
  return status === 'failed' && contentHash !== '' && recipe === '';
}

/**
 * Whether what an entry says still holds for the same content. A document that is cut as previous settings said does: it is
 * cut again later, together with its vectors.
 */
export function holdsForContent(entry: ManifestEntry, choice: ContentChoice): boolean {
  if (wasFileCutShort(entry)) return choice.passOverCutShort === true;
  if (choice.readsPictures && lacksPictures(entry)) return false;
  return entry.status === 'indexed' || choice.leaveStale === true || !isStale(entry.recipe, choice.recipe);
}

/** How an entry is judged where the content is the same. */
export type ContentChoice = Pick<PlanOptions, 'recipe' | 'passOverCutShort' | 'leaveStale' | 'readsPictures'>;

/** Whether a file has pictures whose text nobody has read, since there was no recogniser. */
function lacksPictures({ reason, detail = '' }: ManifestEntry): boolean {
  return reason === 'picture' || (reason === 'degraded' && detail.includes(unreadPagesNote));
}

/** Whether what the index remembers of a file still holds. A file that could not be opened is tried again. */
function holdsStill(
  file: SourceFile,
  entry: ManifestEntry,
  { stored }: Remembered,
  choice: ContentChoice,
): boolean {
  if (entry.status === 'indexed' && !stored.has(file.uri)) return false;
  return (
    entry.contentHash !== '' &&
    holdsForContent(entry, choice) &&
    entry.size === file.size &&
    entry.modifiedAt === file.modifiedAt
  );
}

/** The skipped path that an entry describes. */
export function skippedPathOf({ uri, reason, detail }: ManifestEntry): SkippedPath {
  // Only skip reasons are stored with the status `skipped`.
  return { uri, reason: reason as SkipReason, rule: detail ?? '' };
}

function folderOf(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
