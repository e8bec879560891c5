import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const magic = Buffer.from('d9d505f920a163d7', 'hex');
const sector = 512;
const pageSize = 4096;
/** The page that holds the bytes of locks: a journal names its superior in a record of that page. */
const lockPage = 2 ** 30 / pageSize + 1;

/**
 * Puts a rollback journal beside a database, as a transaction over several databases leaves it, and the file that it names as
 * the journal above it into a folder, whose path is returned. SQLite plays the journal back when the database is next
 * read, and then removes that file. Earlier versions remove whichever file is named, today's one that looks like a journal.
 */
export function putHotJournal(path: string, folder: string): string {
  const superior = join(folder, `thesis-mj${randomBytes(3).toString('hex').toUpperCase()}9AB`);
  writeFileSync(superior, `${path}-journal\0`);
  writeFileSync(`${path}-journal`, hotJournal(superior));
  return superior;
}

function hotJournal(superior: string): Buffer {
  const head = Buffer.alloc(sector);
  magic.copy(head);
  head.writeUInt32BE(0, 8);
  head.writeUInt32BE(1, 12);
  head.writeUInt32BE(2, 16);
  head.writeUInt32BE(sector, 20);
  head.writeUInt32BE(pageSize, 24);
  const name = Buffer.from(superior);
  const tail = Buffer.alloc(4 + name.length + 16);
  tail.writeUInt32BE(lockPage, 0);
  name.copy(tail, 4);
  tail.writeUInt32BE(name.length, 4 + name.length);
  tail.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    8 + name.length,
  );
  magic.copy(tail, 12 + name.length);
  return Buffer.concat([head, tail]);
}
