import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../platform/contained-path.ts';
import type { InstallPlace, InstallScope } from './agents.ts';
import { exists, hashOf, missingFolders, readText, realFile, removeFile, writeText } from './own-text.ts';
import type { Piece } from './pieces.ts';
import { type InstalledFile, installsFolder, recordOfInstalls } from './record.ts';

/** What became of one file. */
export interface Installed {
  readonly agent: string;
  readonly part: Piece['part'];
  readonly file: string;
  readonly change: 'added' | 'changed' | 'unchanged' | 'removed' | 'absent' | 'shared' | 'kept' | 'failed';
  /** Why it failed, and what to do. */
  readonly error?: string;
  /** What would be written. */
  readonly text?: string;
}

/** How it is done. */
export interface InstallChoice {
  readonly scope: InstallScope;
  readonly place: InstallPlace;
  /** Change nothing, and say what would be written. */
  readonly dryRun: boolean;
}

/** Sets up one thing for one agent. What a file was is kept until it is taken out again. */
export async function install(piece: Piece, { scope, place, dryRun }: InstallChoice): Promise<Installed> {
  const { agent, part, file } = piece;
  const real = await realFile(file, scope, place.folder);
  const previous = readText(real);
  const text = piece.put(previous ?? '');
  const result = { agent: agent.name, part, file };
  const known = await entryFor(real, part);
  if (text === previous) {
    if (known && !dryRun) await remember({ ...known, agents: withName(known.agents, agent.name) });
    return { ...result, change: 'unchanged' };
  }
  const isAsLeft = known !== undefined && previous !== undefined && hashOf(previous) === known.after;
  // What somebody has made of a file of ours is theirs.
  if (known && previous !== undefined && isWhole(piece) && !isAsLeft) return { ...result, change: 'kept' };
  const bare = previous === undefined ? undefined : piece.take(previous);
  const isNew = previous === undefined || (bare === previous && !isWhole(piece));
  const change = isNew ? 'added' : 'changed';
  if (dryRun) return { ...result, change, text };
  // An entry of ours that is known stands in no copy; one that is not known is somebody's own.
  const copied = known ? bare : previous;
  const before = isAsLeft ? known.before : copied === undefined ? undefined : await keepCopy(copied);
  const folders = known?.folders ?? (await missingFolders(real));
  // Noted first: what is noted and was never written is found to be absent.
  await remember({
    file: real,
    part,
    agents: withName(known?.agents ?? [], agent.name),
    ...(before !== undefined && { before }),
    after: hashOf(text),
    folders,
  });
  if (!isAsLeft && known?.before !== undefined) await dropCopy(known.before);
  await writeText(real, text);
  return { ...result, change };
}

/**
 * Takes out one thing of one agent: a file that nobody changed since is what it was before, byte for byte, or gone where there
 * was none; from any other only what is ours is taken.
 */
export async function uninstall(piece: Piece, { scope, place, dryRun }: InstallChoice): Promise<Installed> {
  const { agent, part, file } = piece;
  const real = await realFile(file, scope, place.folder);
  const known = await entryFor(real, part);
  const result = { agent: agent.name, part, file };
  const others = known?.agents.filter((name) => name !== agent.name) ?? [];
  if (known && others.length > 0) {
    if (!dryRun) await remember({ ...known, agents: others });
    return { ...result, change: 'shared' };
  }
  const previous = readText(real);
  const copy = known?.before === undefined ? undefined : readText(join(installsFolder(), known.before));
  const restored = previous === undefined ? undefined : withoutOurs(piece, previous, known, copy);
  if (restored === previous) {
    if (known && !dryRun) await forget(known);
    const isTheirs = known !== undefined && previous !== undefined && isWhole(piece);
    return { ...result, change: isTheirs ? 'kept' : 'absent' };
  }
  if (dryRun) return { ...result, change: 'removed', text: restored ?? '' };
  if (restored === undefined) await removeFile(real, known?.folders ?? []);
  else await writeText(real, restored);
  if (known) await forget(known);
  return { ...result, change: 'removed' };
}

/** What a file is without us; undefined where there was none, and nothing else has come into it. */
function withoutOurs(
  piece: Piece,
  text: string,
  known: InstalledFile | undefined,
  before: string | undefined,
): string | undefined {
  const wasAbsent = known !== undefined && known.before === undefined;
  if (known && hashOf(text) === known.after) {
    if (wasAbsent) return undefined;
    if (before !== undefined) return before;
  }
  const bare = piece.take(text, wasAbsent ? '{}' : before);
  return bare !== text && wasAbsent && /^\s*(\{\s*\}\s*)?$/.test(bare)
    ? undefined
    : wholeOrNothing(piece, bare);
}

function wholeOrNothing(piece: Piece, bare: string): string | undefined {
  return bare === '' && isWhole(piece) ? undefined : bare;
}

/** A skill or a sub-agent is a file of its own: without it nothing is left. */
function isWhole({ part }: Piece): boolean {
  return part === 'skill' || part === 'subagent';
}

/** Whether something of an agent is on this machine, so that it is set up where none is named. */
export async function isFound(pieces: readonly Piece[], { home, folder }: InstallPlace): Promise<boolean> {
  const [settings] = pieces;
  if (!settings) return false;
  if (await exists(settings.file)) return true;
  const [outermost] = await missingFolders(settings.file);
  // Its own folder is there, not only the one in which all programs have theirs.
  const parent = join(settings.file, '..');
  return outermost === undefined && parent !== home && parent !== folder;
}

async function entryFor(file: string, part: Piece['part']): Promise<InstalledFile | undefined> {
  const files = await recordOfInstalls().read();
  return files.find((entry) => entry.file === file && entry.part === part);
}

async function remember(entry: InstalledFile): Promise<void> {
  await recordOfInstalls().change((files) => [...files.filter((each) => !isSame(each, entry)), entry]);
}

async function forget(entry: InstalledFile): Promise<void> {
  // A folder that is needed by what is left is removed with the last of it.
  const left = await present(entry.folders);
  await recordOfInstalls().change((files) =>
    files
      .filter((each) => !isSame(each, entry))
      .map((each) => ({ ...each, folders: withFolders(each, left) })),
  );
  if (entry.before !== undefined) await dropCopy(entry.before);
}

async function present(folders: readonly string[]): Promise<string[]> {
  const there = await Promise.all(folders.map(exists));
  return folders.filter((_, at) => there[at]);
}

function withFolders({ file, folders }: InstalledFile, others: readonly string[]): string[] {
  const above = others.filter((folder) => isInside(folder, file));
  return [...new Set([...folders, ...above])].sort((one, other) => one.length - other.length);
}

function isSame(one: InstalledFile, other: InstalledFile): boolean {
  return one.file === other.file && one.part === other.part;
}

function withName(names: readonly string[], name: string): string[] {
  return [...new Set([...names, name])].sort();
}

async function keepCopy(text: string): Promise<string> {
  const name = `${randomUUID()}.before`;
  await writeText(join(installsFolder(), name), text);
  return name;
}

async function dropCopy(name: string): Promise<void> {
  await rm(join(installsFolder(), name), { force: true });
}
