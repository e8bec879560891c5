import type { Dirent, Stats } from 'node:fs';
import { sep } from 'node:path';
import type { SourceEntry } from '../../../../contracts/source.ts';
import { isVirtual } from '../../../../core/document.ts';
import { isCommit } from '../../../../core/documents/commit.ts';
import { isConversation } from '../../../../core/documents/conversation.ts';
import type { SkipReason } from '../../../../core/events.ts';
import { asBytes } from '../../../../core/globs/wildcard.ts';
import { isHostileUri, isInside } from '../../../../platform/contained-path.ts';
import { realPath } from '../../../../platform/real-path.ts';
import { describeFailure } from '../describe-failure.ts';
import type { ResolvedRoot } from '../roots.ts';
import { fixedSkips } from '../rules/default-skips.ts';
import { type FolderRules, findSkip, type RuleSettings } from '../rules/folder-rules.ts';
import type { Inclusion } from '../rules/inclusion.ts';
import type { Pace } from './pace.ts';

/** A folder to walk. */
export interface Folder {
  readonly absolute: string;
  /** Empty, or ending in a slash. */
  readonly uri: string;
  /** Bytes of the path from the outermost folder with rules; empty, or ending in a slash. */
  readonly path: string;
  readonly rules: FolderRules;
}

/** The content of a folder, which decides about each entry. */
export interface Listing {
  readonly folder: Folder;
  readonly entries: readonly Dirent[];
  /** The beginning of the absolute path of an entry. */
  readonly place: string;
  /** Whether the uri of the folder already is one that is refused. */
  readonly isHostile: boolean;
  /** The names of all entries. */
  readonly names: () => ReadonlySet<string>;
}

/** Prepares what all entries of a folder have in common. */
export function createListing(folder: Folder, entries: readonly Dirent[]): Listing {
  let names: ReadonlySet<string> | undefined;
  return {
    folder,
    entries,
    place: folder.absolute.endsWith(sep) ? folder.absolute : folder.absolute + sep,
    isHostile: isHostileUri(`${folder.uri}_`),
    names() {
      names ??= new Set(entries.map(({ name }) => name));
      return names;
    },
  };
}

/** What the verdict on an entry depends on besides its folder. */
export interface ExamineContext {
  readonly settings: RuleSettings;
  readonly inclusion: Inclusion;
  readonly maxFileBytes: (uri: string) => number;
  /** The least that it answers. */
  readonly maxBytesOfAnyFormat: number;
  /** Folders that hold an index, links resolved. */
  readonly storeFolders: ReadonlySet<string>;
  /** Every root of the source: links into one are inside, and a walk does not enter another root. */
  readonly roots: readonly ResolvedRoot[];
}

/** What an entry of a folder turned out to be: something to report, or a folder to walk next. */
export type Finding = SourceEntry | { readonly kind: 'folder'; readonly folder: Folder };

/** Only a name with one of these can make a uri hostile where that of its folder is not. */
const suspectName = /[\\:]|^\.\.$/;

/**
 * Decides about one entry of a folder by its name, its kind and, if it may be indexed, its size; opens nothing. It returns
 * a promise only if it must wait; the promise never rejects.
 */
export function examineEntry(
  entry: Dirent,
  { folder, place, isHostile, names }: Listing,
  pace: Pace,
  context: ExamineContext,
): Finding | undefined | Promise<SourceEntry> {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  const uri = folder.uri + name;
  const shown = isFolder ? `${uri}/` : uri;
  const absolute = place + name;
  const fixed = fixedSkips.get(name.toLowerCase());
  if (fixed) return skipped(shown, fixed.reason, fixed.what);
  if (isVirtual(uri) || isConversation(uri) || isCommit(uri))
    return skipped(shown, 'unsupported', 'names like this are kept for what has no file');
  if ((isHostile || suspectName.test(name)) && isHostileUri(uri))
    return skipped(shown, 'unreadable', 'a name that is a path on other systems');
  if (isFolder && context.roots.some((root) => root.folder === absolute)) return undefined;
  if (isFolder && context.storeFolders.has(absolute))
    return skipped(shown, 'own-files', "the project's own index");
  const path = folder.path + asBytes(name);
  const skip = findSkip(folder.rules, context.settings, { uri, path, name, isFolder, siblings: names });
  if (skip) return skipped(shown, skip.reason, skip.rule);
  if (isFolder) {
    if (!context.inclusion.mayHoldFiles(shown)) return notIncluded(shown);
    return { kind: 'folder', folder: { absolute, uri: shown, path: `${path}/`, rules: folder.rules } };
  }
  if (entry.isSymbolicLink()) return examineLink(absolute, uri, context.roots);
  if (!context.inclusion.admitsFile(uri)) return notIncluded(uri);
  return entry.isFile() ? examineFile(absolute, uri, pace, context) : notAFile(uri, entry);
}

function examineFile(
  absolute: string,
  uri: string,
  pace: Pace,
  context: ExamineContext,
): SourceEntry | Promise<SourceEntry> {
  try {
    const looked = pace.look(absolute);
    return looked instanceof Promise
      ? looked.then(
          (stats) => judgeFile(uri, stats, context),
          (thrown: unknown) => unreadable(uri, thrown),
        )
      : judgeFile(uri, looked, context);
  } catch (thrown) {
    return unreadable(uri, thrown);
  }
}

function judgeFile(
  uri: string,
  stats: Stats,
  { maxFileBytes, maxBytesOfAnyFormat }: ExamineContext,
): SourceEntry {
  const { size } = stats;
  // The kind is read again: the entry may have been replaced since the listing.
  if (!stats.isFile()) return notAFile(uri, stats);
  if (size === 0) return skipped(uri, 'empty', 'no bytes');
  const max = size > maxBytesOfAnyFormat ? maxFileBytes(uri) : size;
  // Without its size: a growing file must not cause a new entry with every pass.
  if (size > max) return skipped(uri, 'too-large', `larger than the limit of ${max} bytes`);
  return { kind: 'file', file: { uri, size, modifiedAt: stats.mtimeMs, changedAt: stats.ctimeMs } };
}

function unreadable(uri: string, thrown: unknown): SourceEntry {
  if (uri.includes('\uFFFD')) return skipped(uri, 'unreadable', 'the name is not valid UTF-8');
  return skipped(uri, 'unreadable', describeFailure(thrown));
}

/** Links are never followed: inside the roots the walk meets the target anyway, outside it must not be read. */
async function examineLink(
  absolute: string,
  uri: string,
  roots: readonly ResolvedRoot[],
): Promise<SourceEntry> {
  try {
    const target = await realPath(absolute);
    if (roots.some((root) => isInside(root.folder, target))) {
      return skipped(uri, 'not-a-file', 'symbolic link');
    }
    return skipped(uri, 'outside-root', 'symbolic link out of the roots');
  } catch (thrown) {
    return skipped(uri, 'not-a-file', `symbolic link that leads nowhere (${describeFailure(thrown)})`);
  }
}

function notIncluded(uri: string): SourceEntry {
  return skipped(uri, 'ignored', 'no include pattern matches');
}

function notAFile(uri: string, kind: Pick<Dirent, 'isFIFO' | 'isSocket' | 'isSymbolicLink'>): SourceEntry {
  if (kind.isSymbolicLink()) return skipped(uri, 'not-a-file', 'symbolic link');
  if (kind.isFIFO()) return skipped(uri, 'not-a-file', 'named pipe');
  return skipped(uri, 'not-a-file', kind.isSocket() ? 'socket' : 'device');
}

/** The report of a path that is left out. */
export function skipped(uri: string, reason: SkipReason, rule: string): SourceEntry {
  return { kind: 'skipped', skipped: { uri, reason, rule } };
}
