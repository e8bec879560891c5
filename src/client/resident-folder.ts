import { dirname } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import type { Environment } from '../platform/environment.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { ensureOwnFolder, hasOwnFolder, readOwnFile, writeOwnFile } from '../platform/own-files.ts';
import { type ResidentAddress, residentAddress } from './resident-address.ts';
import { socketTransport } from './socket-transport.ts';
import type { Transport } from './transport.ts';

/*
 * The folder of the engine may stand in one that every user can write. Another user could make it first, to answer in
 * place of the engine, or to have a file of this user written by a link; so it is looked at before each use.
 */

/** Makes the folder of the engine, for this user alone; another user's is `path-unsafe`. */
export async function ensureResidentFolder({ folder }: ResidentAddress): Promise<void> {
  await makeFolder(dirname(folder), 0o700);
  ensureOwnFolder(folder);
}

/** Sends requests to the engine of this user, and to nobody else. */
export function residentTransport(environment: Environment): Transport {
  const address = residentAddress(environment);
  const send = socketTransport(address.socket);
  return async (request) => {
    requireOwnPlace(address);
    return send(request);
  };
}

/** The text of a note in the folder; undefined where there is none. */
export function readNote({ folder }: ResidentAddress, note: string): string | undefined {
  return hasOwnFolder(folder) ? readOwnFile(note)?.toString() : undefined;
}

/** Writes a note into the folder, which must be there. */
export function writeNote({ folder }: ResidentAddress, note: string, text: string): void {
  if (hasOwnFolder(folder)) writeOwnFile(note, text);
}

/** Where nobody of this user can listen, there is no engine. */
function requireOwnPlace({ folder }: ResidentAddress): void {
  // The pipe of Windows stands in no folder.
  if (process.platform === 'win32') return;
  try {
    hasOwnFolder(folder);
  } catch (cause) {
    const { message, remedy } = cause as QuarryError;
    throw new QuarryError('server-unreachable', `The engine was not asked: ${message}`, remedy, { cause });
  }
}
