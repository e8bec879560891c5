import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, relative, sep } from 'node:path';
import type { SourceEntry } from '../../../contracts/source.ts';
import { interrupted, QuarryError } from '../../../core/errors.ts';
import type { PathScope } from '../../../core/path-scope.ts';
import { isInside } from '../../../platform/contained-path.ts';
import { describeFailure, type ExamineContext, examineEntry, type Folder, skipped } from './examine-entry.ts';
import { type FolderRules, withFolderRules } from './folder-rules.ts';
import type { GitRules } from './git-repository.ts';
import type { ResolvedRoot } from './roots.ts';
import { asBytes } from './wildcard.ts';

/** What a walk must know besides its root. */
export interface WalkContext extends ExamineContext {
  readonly git: GitRules;
  readonly signal: AbortSignal | undefined;
  /** The part of the tree to report; everything where absent. */
  readonly scope?: PathScope | undefined;
  /** Called with each folder before it is listed; files are not even looked at then. */
  readonly onFolder?: (folder: Folder) => void;
}

/** So many entries are looked at together: enough to keep the disk busy, few enough to stop soon. */
const batchSize = 64;

/** Walks one root: the files of a folder by name, then its folders by name; only the folders ahead are kept. */
export async function* walkRoot(root: ResolvedRoot, context: WalkContext): AsyncGenerator<SourceEntry> {
  const top = await topFolder(root, context);
  const ahead: Folder[] = [top];
  for (let folder = ahead.pop(); folder; folder = ahead.pop()) {
    throwIfAborted(context.signal);
    context.onFolder?.(folder);
    const listing = await list(folder, context);
    if (listing.failure) {
      if (folder === top) throw unreadableRoot(root, listing.failure);
      yield skipped(folder.uri, 'unreadable', describeFailure(listing.failure.cause));
      continue;
    }
    const inner: Folder[] = [];
    const entries = wantedEntries(listing, context);
    for (let start = 0; start < entries.length; start += batchSize) {
      const batch = entries.slice(start, start + batchSize);
      const findings = await Promise.all(batch.map((entry) => examineEntry(entry, listing, context)));
      for (const finding of findings) {
        throwIfAborted(context.signal);
        if (finding?.kind === 'folder') inner.push(finding.folder);
        else if (finding) yield finding;
      }
    }
    for (const next of inner.reverse()) ahead.push(next);
  }
}

interface Listing {
  readonly folder: Folder;
  readonly entries: readonly Dirent[];
  readonly names: ReadonlySet<string>;
  readonly failure?: { readonly cause: unknown };
}

/** A folder whose ignore files cannot be read counts as unreadable: without its rules, too much would be indexed. */
async function list(folder: Folder, context: WalkContext): Promise<Listing> {
  try {
    const entries = await readdir(folder.absolute, { withFileTypes: true });
    // By code units, so that the order is the same on every system and in every language.
    entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    const names = new Set(entries.map((entry) => entry.name));
    const { absolute, uri, path } = folder;
    const place = { absolute, base: path.length, label: uri, names };
    const rules = await withFolderRules(folder.rules, place, context.settings);
    return { folder: { ...folder, rules }, entries, names };
  } catch (cause) {
    return { folder, entries: [], names: new Set(), failure: { cause } };
  }
}

/** The entries to look at: all, or those that the wanted part of the tree consists of or is reached through. */
function wantedEntries({ folder, entries }: Listing, { scope, onFolder }: WalkContext): readonly Dirent[] {
  const looked = onFolder ? entries.filter((entry) => entry.isDirectory()) : entries;
  if (!scope || scope.holds(folder.uri)) return looked;
  return looked.filter((entry) => {
    const uri = folder.uri + entry.name;
    return scope.holds(uri) || (entry.isDirectory() && scope.leadsInto(`${uri}/`));
  });
}

/** The root with the rules of the folders around it, up to the repository's root or the project folder. */
async function topFolder(root: ResolvedRoot, context: WalkContext): Promise<Folder> {
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

function unreadableRoot(root: ResolvedRoot, failure: { readonly cause: unknown }): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `Cannot read the root ${root.folder}: ${describeFailure(failure.cause)}.`,
    'Give yourself the right to read the folder, or take it out of the roots.',
    failure,
  );
}
