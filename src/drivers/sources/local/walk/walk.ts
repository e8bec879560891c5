import type { Dirent } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { SourceEntry } from '../../../../contracts/source.ts';
import type { PathScope } from '../../../../core/documents/path-scope.ts';
import { interrupted } from '../../../../core/errors.ts';
import { asBytes } from '../../../../core/globs/wildcard.ts';
import { isInside } from '../../../../platform/contained-path.ts';
import { describeFailure } from '../describe-failure.ts';
import type { GitRules } from '../git/git-repository.ts';
import type { ResolvedRoot } from '../roots.ts';
import { type FolderRules, withFolderRules } from '../rules/folder-rules.ts';
import {
  createListing,
  type ExamineContext,
  examineEntry,
  type Folder,
  type Listing,
  skipped,
} from './examine-entry.ts';
import { Pace } from './pace.ts';
import { emptyRoot, unreadableRoot } from './root-trouble.ts';

/** What a walk needs in addition to its root. */
export interface WalkContext extends ExamineContext {
  readonly git: GitRules;
  readonly signal: AbortSignal | undefined;
  /** The part of the tree to report; everything where absent. */
  readonly scope?: PathScope | undefined;
  /** Called with each folder before it is listed; with it, files are not examined. */
  readonly onFolder?: (folder: Folder) => void;
}

/** Entries that are examined together: enough to keep the disk busy, few enough to stop soon. */
const batchSize = 64;

/**
 * Walks one root: the files of a folder by name, then its folders by name, a few at a time; only the folders ahead
 * are kept.
 */
export async function* walkRoot(
  root: ResolvedRoot,
  context: WalkContext,
): AsyncGenerator<readonly SourceEntry[]> {
  const top = await topFolder(root, context);
  const pace = new Pace();
  const ahead: Folder[] = [top];
  for (let folder = ahead.pop(); folder; folder = ahead.pop()) {
    throwIfAborted(context.signal);
    context.onFolder?.(folder);
    const listing = await list(folder, pace, context);
    if ('failure' in listing) {
      const { cause } = listing.failure;
      if (folder === top) yield [unreadableRoot(root, context.roots, cause)];
      else yield [skipped(folder.uri, 'unreadable', describeFailure(cause))];
      continue;
    }
    // The project folder holds the index itself: if its drive were gone, so would be the index.
    if (folder === top && root.prefix !== '' && listing.entries.length === 0)
      yield [emptyRoot(root, context.roots)];
    const inner: Folder[] = [];
    const entries = wantedEntries(listing, context);
    for (let start = 0; start < entries.length; start += batchSize) {
      const batch = entries.slice(start, start + batchSize);
      const found: SourceEntry[] = [];
      for (const examined of batch.map((entry) => examineEntry(entry, listing, pace, context))) {
        const finding = examined instanceof Promise ? await examined : examined;
        if (finding?.kind === 'folder') inner.push(finding.folder);
        else if (finding) found.push(finding);
      }
      throwIfAborted(context.signal);
      if (found.length > 0) yield found;
      if (pace.isDue) await pace.rest();
    }
    for (const next of inner.reverse()) ahead.push(next);
    if (pace.isDue) await pace.rest();
  }
}

/** A folder whose ignore files cannot be read counts as unreadable: without its rules, too much would be indexed. */
async function list(
  folder: Folder,
  pace: Pace,
  context: WalkContext,
): Promise<Listing | { readonly failure: { readonly cause: unknown } }> {
  try {
    const found = await pace.list(folder.absolute);
    // By code units, so that the order is the same on every system and in every language.
    found.sort((one, other) => (one.name < other.name ? -1 : 1));
    // Different names that are not valid UTF-8 may decode to the same text.
    const entries = found.filter(({ name }, at) => name !== found[at - 1]?.name);
    const { absolute, uri, path } = folder;
    const holds = (name: string) => entries.some((entry) => entry.name === name);
    const place = { absolute, base: path.length, label: uri, holds };
    const rules = await withFolderRules(folder.rules, place, context.settings);
    return createListing({ ...folder, rules }, entries);
  } catch (cause) {
    return { failure: { cause } };
  }
}

/** The entries to examine: all, or those inside the wanted part of the tree and on the way to it. */
function wantedEntries({ folder, entries }: Listing, { scope, onFolder }: WalkContext): readonly Dirent[] {
  const looked = onFolder ? entries.filter((entry) => entry.isDirectory()) : entries;
  if (!scope || scope.holds(folder.uri)) return looked;
  return looked.filter((entry) => {
    const uri = folder.uri + entry.name;
    return scope.holds(uri) || (entry.isDirectory() && scope.leadsInto(`${uri}/`));
  });
}

/** The root with the rules of the folders around it, up to the repository's root or the project folder. */
export async function topFolder(root: ResolvedRoot, context: WalkContext): Promise<Folder> {
  const { repository } = context.git;
  const outermost = outermostFolder(root, context.git);
  const base = pathBelow(outermost, repository ?? outermost).length;
  let rules: FolderRules = {
    git: context.settings.useGitignore ? [{ rules: context.git.rules, base }] : [],
    quarry: [],
  };
  for (const folder of foldersAbove(outermost, root.folder)) {
    const way = relative(root.rulesFrom, folder).split(sep).join('/');
    const label = way === '' ? '' : `${way}/`;
    const place = { absolute: folder, base: pathBelow(outermost, folder).length, label };
    rules = await withFolderRules(rules, place, context.settings);
  }
  return { absolute: root.folder, uri: root.prefix, path: pathBelow(outermost, root.folder), rules };
}

/** The folder whose ignore files are the first to apply: the repository's root, or the one the root names itself. */
export function outermostFolder(root: ResolvedRoot, { repository }: GitRules): string {
  return repository && isInside(repository, root.rulesFrom) ? repository : root.rulesFrom;
}

/** The folders from the outermost down to the parent of `folder`. */
export function foldersAbove(outermost: string, folder: string): string[] {
  const above: string[] = [];
  for (let current = folder; current !== outermost; ) {
    current = dirname(current);
    above.unshift(current);
  }
  return above;
}

function pathBelow(outermost: string, folder: string): string {
  const way = relative(outermost, folder);
  return way === '' ? '' : asBytes(`${way.split(sep).join('/')}/`);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw interrupted(signal.reason);
}
