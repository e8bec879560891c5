import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { SkipReason } from '../../../../core/events.ts';
import { asBytes } from '../../../../core/globs/wildcard.ts';
import { isHostileUri } from '../../../../platform/contained-path.ts';
import type { ResolvedRoot } from '../roots.ts';
import { fixedSkips } from '../rules/default-skips.ts';
import { findSkip, withFolderRules } from '../rules/folder-rules.ts';
import type { Folder } from './examine-entry.ts';
import { topFolder, type WalkContext } from './walk.ts';

/** Why a walk would leave a path out by the rules of today, whether a file is there or not; undefined where it would not. */
export type PathJudge = (uri: string) => Promise<SkipReason | undefined>;

/** Folders whose rules are kept in memory. */
const maxFolders = 10_000;

/** Judges the paths of one root. What lies in another root, or in none, is left out. */
export function createPathJudge(root: ResolvedRoot, context: WalkContext): PathJudge {
  const folders = new Map<string, Promise<Folder | SkipReason>>();
  const judge = (folder: Folder, name: string, isFolder: boolean): SkipReason | undefined => {
    const uri = folder.uri + name;
    const fixed = fixedSkips.get(name.toLowerCase());
    if (fixed) return fixed.reason;
    if (isHostileUri(uri)) return 'outside-root';
    if (isFolder && context.storeFolders.has(join(folder.absolute, name))) return 'own-files';
    const path = folder.path + asBytes(name);
    const entry = { uri, path, name, isFolder, siblings: noSiblings };
    const skip = findSkip(folder.rules, context.settings, entry);
    if (skip) return skip.reason;
    const { mayHoldFiles, admitsFile } = context.inclusion;
    return (isFolder ? mayHoldFiles(`${uri}/`) : admitsFile(uri)) ? undefined : 'ignored';
  };
  const withOwnRules = async (folder: Folder): Promise<Folder> => {
    const { absolute, path, uri } = folder;
    const isThere = lstatSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isThere) return folder;
    const place = { absolute, base: path.length, label: uri };
    return { ...folder, rules: await withFolderRules(folder.rules, place, context.settings) };
  };
  const enter = async (uri: string): Promise<Folder | SkipReason> => {
    if (uri === root.prefix) return withOwnRules(await topFolder(root, context));
    const cut = uri.lastIndexOf('/', uri.length - 2) + 1;
    const parent = await folderAt(uri.slice(0, cut));
    if (typeof parent === 'string') return parent;
    const name = uri.slice(cut, -1);
    const reason = judge(parent, name, true);
    if (reason) return reason;
    const path = `${parent.path}${asBytes(name)}/`;
    return withOwnRules({ absolute: join(parent.absolute, name), uri, path, rules: parent.rules });
  };
  const folderAt = (uri: string): Promise<Folder | SkipReason> => {
    const known = folders.get(uri);
    if (known) return known;
    if (folders.size >= maxFolders) folders.clear();
    const entered = enter(uri);
    folders.set(uri, entered);
    return entered;
  };
  return async (uri) => {
    if (!uri.startsWith(root.prefix) || uri.endsWith('/') || isHostileUri(uri)) return 'outside-root';
    const cut = uri.lastIndexOf('/') + 1;
    const folder = await folderAt(uri.slice(0, cut));
    return typeof folder === 'string' ? folder : judge(folder, uri.slice(cut), false);
  };
}

const noSiblings = (): ReadonlySet<string> => new Set();
