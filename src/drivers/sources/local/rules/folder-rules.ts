import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkippedPath } from '../../../../core/events.ts';
import { systemCodeOf } from '../../../../core/failures/machine-failure.ts';
import { asBytes } from '../../../../core/globs/wildcard.ts';
import { readRegularFile } from '../read-regular-file.ts';
import { findDefaultSkip, type NamedEntry, namesSecret } from './default-skip-index.ts';
import { type IgnoreRule, parseIgnoreFile } from './ignore-rules.ts';
import { lastMatch } from './last-match.ts';

/** The rules of one ignore file, which apply to paths below its folder. */
export interface RuleList {
  readonly rules: readonly IgnoreRule[];
  /** Bytes to cut from the front of a path to make it relative to the folder of the rules. */
  readonly base: number;
}

/** All ignore files that apply in a folder, from the outermost to its own. */
export interface FolderRules {
  readonly git: readonly RuleList[];
  readonly quarry: readonly RuleList[];
}

/** The settings of a walk that decide what is ignored. */
export interface RuleSettings {
  readonly useGitignore: boolean;
  readonly ignoreCase: boolean;
  readonly defaultSkips: boolean;
  /** Whether pictures are read, so that they are not left out. */
  readonly readsPictures?: boolean;
  /** Patterns of the settings; they match uris. */
  readonly exclude: readonly IgnoreRule[];
}

/** A folder that may hold ignore files. */
export interface FolderPlace {
  readonly absolute: string;
  /** Bytes of its path from the outermost folder with rules, the closing slash included. */
  readonly base: number;
  /** What its ignore files are called in reports, up to their own name. */
  readonly label: string;
  /** Whether a name is in it, where that is known already. */
  readonly holds?: (name: string) => boolean;
}

/** A larger ignore file is refused: its folder is then left out rather than read without its rules. */
const maxIgnoreFileBytes = 8 * 1024 * 1024;

/** The rules in a folder: those of its parent and those of the ignore files it holds itself. */
export async function withFolderRules(
  inherited: FolderRules,
  folder: FolderPlace,
  settings: RuleSettings,
): Promise<FolderRules> {
  const load = async (name: string): Promise<RuleList[]> => {
    if (folder.holds && !folder.holds(name)) return [];
    const text = await readIgnoreFile(join(folder.absolute, name));
    if (text === undefined) return [];
    const rules = parseIgnoreFile(text, `${folder.label}${name}`, settings.ignoreCase);
    return rules.length === 0 ? [] : [{ rules, base: folder.base }];
  };
  const git = settings.useGitignore ? await load('.gitignore') : [];
  const quarry = await load('.quarryignore');
  if (git.length + quarry.length === 0) return inherited;
  return { git: [...inherited.git, ...git], quarry: [...inherited.quarry, ...quarry] };
}

/**
 * Why an entry is left out, or nothing. The settings win over `.quarryignore`, which wins over git's rules. The default
 * skips apply to what neither of the first two includes by name; to what holds secrets also where a `.quarryignore`, which
 * comes with a folder, or a wider pattern of the settings includes it.
 */
export function findSkip(
  rules: FolderRules,
  settings: RuleSettings,
  entry: NamedEntry & { readonly path: string },
): Pick<SkippedPath, 'reason' | 'rule'> | undefined {
  const name = asBytes(entry.name);
  const { path, isFolder } = entry;
  const excluded =
    settings.exclude.length === 0
      ? undefined
      : lastMatch(settings.exclude, asBytes(entry.uri), name, isFolder);
  const own = excluded ?? deepestMatch(rules.quarry, path, name, isFolder);
  const decisive = own ?? deepestMatch(rules.git, path, name, isFolder);
  if (decisive && !decisive.negated) return { reason: 'ignored', rule: decisive.label };
  // `!*/`, as in "only Markdown", includes all folders, but is not meant to include node_modules.
  const takenBack = own?.negated && own.specific;
  const skip = settings.defaultSkips ? findDefaultSkip(entry) : undefined;
  if (skip?.reason === 'secret-file')
    return excluded?.negated && namesSecret(excluded.pattern) ? undefined : skip;
  if (skip?.reason === 'picture' && settings.readsPictures) return undefined;
  return takenBack ? undefined : skip;
}

function deepestMatch(
  lists: readonly RuleList[],
  path: string,
  name: string,
  isFolder: boolean,
): IgnoreRule | undefined {
  for (let index = lists.length - 1; index >= 0; index--) {
    const list = lists[index];
    if (!list || list.rules.length === 0) continue;
    const rule = lastMatch(list.rules, path.slice(list.base), name, isFolder);
    if (rule) return rule;
  }
  return undefined;
}

/** Git reads no ignore file through a link inside the tree, and pipes and devices hold no rules. */
async function readIgnoreFile(path: string): Promise<string | undefined> {
  const stats = await lstat(path).catch((thrown: unknown) => {
    // With any other failure there may be rules: the folder is left out rather than read without them.
    if (!['ENOENT', 'ENOTDIR'].includes(systemCodeOf(thrown) ?? '')) throw thrown;
  });
  if (!stats?.isFile()) return undefined;
  const bytes = await readRegularFile(path, { maxBytes: maxIgnoreFileBytes, followLink: false });
  return bytes.toString('utf8');
}
