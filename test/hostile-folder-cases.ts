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

const database = '.quarry/index-1/index.sqlite';
const note = `.quarry-added/${keptFileName(virtualUri(noteName))}`;

/** Every name that Quarry may find in a folder and opens, writes, lists or removes by itself. */
export const names = [
  ...['quarry.toml', '.gitignore', '.quarryignore', 'sub/.gitignore', 'sub/.quarryignore'],
  ...['.git', '.git/HEAD', '.git/commondir', '.git/config', '.git/info/exclude'],
  ...['.quarry-added', '.quarry-added/.gitignore', note, `${note}.1-a.tmp`],
  ...['.quarry-received', '.quarry-received/files.db', '.quarry-received/files.db-wal'],
  ...['.quarry', '.quarry/.gitignore', '.quarry/current', '.quarry/copy', '.quarry/last-search.json'],
  ...['writer', 'vectors', 'foreign'].flatMap((lock) => [
    `.quarry/${lock}.lock`,
    `.quarry/${lock}.lock-journal`,
    `.quarry/${lock}.lock.json`,
  ]),
  ...['.quarry/foreign-1', '.quarry/foreign-9007199254740992', '.quarry/lancedb'],
  ...['.quarry/current.1-a.tmp', '.quarry/locks-1-a.tmp', '.quarry/index.sqlite'],
  ...['.quarry/reports', '.quarry/reports/2026-01-01.ndjson'],
  ...['.quarry/index-1', '.quarry/index-2', '.quarry/index-1/vectors.lock'],
  ...['', '-wal', '-shm', '-journal'].map((ending) => `${database}${ending}`),
  ...['', '/graph.sqlite', ...['-wal', '-shm', '-journal'].map((ending) => `/graph.sqlite${ending}`)].map(
    (path) => `.quarry/graph${path}`,
  ),
  ...['.vectors-1-1-1.usearch', '.vectors-lock'].map((ending) => `${database}${ending}`),
];

/** Every path below the folders of Quarry in a project, the numbers and times in them as in `names`. */
export async function stateNames(project: string): Promise<string[]> {
  const found = await readdir(project, { recursive: true });
  return found
    .filter((path) => path.startsWith('.quarry') && path !== '.quarryignore')
    .map((path) =>
      path
        .replace(/^(\.quarry\/reports\/).+(\.ndjson)$/, '$12026-01-01$2')
        .replace(/^(\.quarry\/index-)\d+\//, '$11/')
        .replace(/^(\.quarry\/lancedb)\/.*/, '$1')
        .replace(/^\.quarry-added\/[0-9a-f]{32}\.txt$/, note),
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
      const forged = new DatabaseSync(path);
      forged.exec(
        'CREATE TABLE chunks (text); CREATE TRIGGER t AFTER INSERT ON chunks BEGIN DELETE FROM chunks; END',
      );
      forged.close();
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

/** Makes the index of the project one of a stranger: what sets it aside is used too then. False where the index itself was replaced. */
function forgeIndex({ name, path }: Place): boolean {
  const file = join(path.slice(0, -name.length), database);
  if (!lstatSync(file, { throwIfNoEntry: false })) return false;
  const index = new DatabaseSync(file);
  index.exec("CREATE TRIGGER t AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'forged'; END");
  index.close();
  return true;
}

function replacing(put: Placement): Placement {
  return async (place) => {
    await rm(place.path, { recursive: true, force: true });
    await mkdir(dirname(place.path), { recursive: true });
    return put(place);
  };
}
