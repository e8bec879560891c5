import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, lstatSync } from 'node:fs';
import {
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { virtualUri } from '../src/core/document.ts';
import { keptFileName } from '../src/core/documents/kept-content.ts';
import { putHotJournal } from '../src/platform/sqlite/hot-journal.fixture.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

/** The name under which the sound project holds a note. */
export const noteName = 'note';

/** Every name that Quarry may find in a folder and opens by itself. */
export const names = [
  ...['quarry.toml', '.gitignore', '.quarryignore', '.git'],
  ...['.quarry', '.quarry-added', '.quarry-received', '.quarry-received/files.db'],
  ...['.quarry/.gitignore', '.quarry/current', '.quarry/copy', '.quarry/last-search.json'],
  ...['.quarry/writer.lock', '.quarry/writer.lock-journal', '.quarry/vectors.lock'],
  ...['.quarry/foreign.lock', '.quarry/foreign-1', '.quarry/foreign-9007199254740992'],
  ...['.quarry/reports', '.quarry/reports/2026-01-01.ndjson'],
  ...['.quarry/index-1', '.quarry/index-2', '.quarry/index-1/index.sqlite'],
  ...['-wal', '-shm', '-journal'].map((ending) => `.quarry/index-1/index.sqlite${ending}`),
  ...['.vectors-1-1-1.usearch', '.vectors-lock'].map((ending) => `.quarry/index-1/index.sqlite${ending}`),
  `.quarry-added/${keptFileName(virtualUri(noteName))}`,
];

/**
 * Whether adding content opens this name in a way of its own. It is not asked for elsewhere: it reads in a thread of its own,
 * which takes longer than all other questions together, and the rest of the index is opened for it as for `index`.
 */
export function isForAdding(name: string): boolean {
  return /^\.quarry(-added(\/.*)?|\/(current|writer\.lock|vectors\.lock|index-1(\/index\.sqlite)?))?$/.test(
    name,
  );
}

/** What is around a project and must not change: files of a user, and another project of theirs. */
export interface Surroundings {
  readonly folder: string;
  /** The checksum of each path, its kind and mode included. */
  checksums(): Promise<Record<string, string>>;
}

/** Makes surroundings with a copy of a sound project as the neighbour. */
export async function makeSurroundings(sound: string): Promise<Surroundings> {
  const folder = await temporaryFolder({
    'thesis.txt': 'years of work',
    'old.tmp': 'not ours',
    'photos/child.jpg': 'a photo',
    'photos/holiday/sea.jpg': 'another photo',
    'settings.toml': 'top_k = 3\n',
  });
  await cp(sound, join(folder, 'neighbour'), { recursive: true });
  return { folder, checksums: () => checksumsOf(folder) };
}

async function checksumsOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { mode, uid } = await lstat(path);
    const content = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : entry.isSymbolicLink()
        ? await readlink(path)
        : '';
    found[path.slice(folder.length)] = `${mode.toString(8)} ${uid} ${content}`;
  }
  return found;
}

/** A name of a project, and where. */
export interface Place {
  readonly name: string;
  readonly path: string;
  /** The folder whose content must not change. */
  readonly outside: string;
}

/** Puts something hostile under a name; false where that would leave the folder as another placement does. */
type Placement = (place: Place) => unknown;

/** What may stand under a name instead of what Quarry makes, by what it is. */
export const placements: Readonly<Record<string, Placement>> = {
  'a link to a file outside': replacing(({ path, outside }) => symlink(join(outside, 'thesis.txt'), path)),
  'a link to a folder outside': replacing(({ path, outside }) => symlink(outside, path)),
  'a link to that of another project': replacing(({ path, name, outside }) =>
    symlink(join(outside, 'neighbour', name), path),
  ),
  'a link to nothing outside': replacing(({ path, outside }) => symlink(join(outside, 'new'), path)),
  'a link to an endless device': replacing(({ path }) => symlink('/dev/zero', path)),
  'a named pipe': replacing(({ path }) => execFileSync('mkfifo', [path])),
  'a folder with files': replacing(({ path }) =>
    writeFiles(path, { 'inside.txt': 'text', 'a/b.txt': 'text' }),
  ),
  'an empty file': replacing(({ path }) => writeFile(path, '')),
  'random bytes': replacing(({ path }) => writeFile(path, randomBytes(9000))),
  'a database with a trigger, and a journal that names a file outside as the one above it': replacing(
    ({ path, outside }) => {
      const database = new DatabaseSync(path);
      database.exec(
        'CREATE TABLE chunks (text); CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END',
      );
      database.close();
      putHotJournal(path, outside);
    },
  ),
  'a link to a folder outside, and the index has a trigger': replacing(
    (place) => forgeIndex(place) && symlink(place.outside, place.path),
  ),
  'a named pipe, and the index has a trigger': replacing(
    (place) => forgeIndex(place) && execFileSync('mkfifo', [place.path]),
  ),
  'cut off': async ({ path }) => {
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() === true && truncate(path, Math.floor(found.size / 2));
  },
};

/** The same for the superuser alone: what is there belongs to somebody else. */
export const ofAnotherUser: Placement = async ({ path }) => {
  if (!(await lstat(path).catch(() => undefined))) return false;
  chownSync(path, 12_345, 12_345);
};

/** Makes the index of the project one of a stranger: what sets it aside is used too then. False where that opens no such name. */
function forgeIndex({ name, path }: Place): boolean {
  const file = join(path.slice(0, -name.length), '.quarry/index-1/index.sqlite');
  if (!name.startsWith('.quarry/') || !lstatSync(file, { throwIfNoEntry: false })) return false;
  const database = new DatabaseSync(file);
  database.exec("CREATE TRIGGER t AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'forged'; END");
  database.close();
  return true;
}

function replacing(put: Placement): Placement {
  return async (place) => {
    await rm(place.path, { recursive: true, force: true });
    await mkdir(dirname(place.path), { recursive: true });
    return put(place);
  };
}
