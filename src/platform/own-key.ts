import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { type Environment, userDataFolder } from './environment.ts';
import { openUserRecord } from './user-record.ts';

const keyBytes = 32;
const remedy = 'Delete the file: a new key is made, and indexes are built again.';

/** Keys that could not be kept, by the file that should hold them: they last as long as the process. */
const passing = new Map<string, Promise<OwnKey>>();

/** The key by which a user's own data is recognised in folders that others can write. */
export interface OwnKey {
  readonly key: Uint8Array;
  /** Why the next process will have another one, where it could not be kept. */
  readonly unkept?: string;
}

/** Where the user's key is kept. */
export function ownKeyFile(environment: Environment): string {
  return join(userDataFolder(environment), 'own.key');
}

/** The user's key, which is made when it is first asked for. Only the user can read it. */
export function ownKey(environment: Environment): Promise<OwnKey> {
  const path = ownKeyFile(environment);
  const known = passing.get(path);
  if (known) return known;
  const reading = readOrMake(path);
  passing.set(path, reading);
  // The file is asked each time: users delete it to be rid of what was made with it.
  void reading.then(
    ({ unkept }) => unkept === undefined && passing.delete(path),
    () => passing.delete(path),
  );
  return reading;
}

async function readOrMake(path: string): Promise<OwnKey> {
  const record = openUserRecord<Uint8Array | undefined>(path, {
    name: 'Your key, by which your own indexes are recognised',
    remedy,
    empty: undefined,
    parse(text) {
      const key = Buffer.from(text.trim(), 'hex');
      if (key.length === keyBytes) return key;
      throw new QuarryError('file-unreadable', `${path} does not hold a key.`, remedy);
    },
    write: (key) => `${Buffer.from(key ?? []).toString('hex')}\n`,
  });
  const known = await record.read();
  if (known) return { key: known };
  try {
    const made = await record.change((there) => there ?? randomBytes(keyBytes));
    if (made) return { key: made };
  } catch (thrown) {
    // A home that cannot be written is no reason to find nothing.
    return { key: randomBytes(keyBytes), unkept: asQuarryError(thrown).message };
  }
  return readOrMake(path);
}
