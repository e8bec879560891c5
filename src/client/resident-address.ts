import { createHash } from 'node:crypto';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type Environment, userCacheFolder } from '../platform/environment.ts';

/** The longest path of a socket that every platform takes. */
const maxSocketPathLength = 100;

/** Where the resident engine of a user is found. */
export interface ResidentAddress {
  /** A folder that only the user can enter. */
  readonly folder: string;
  /** A socket in that folder; on Windows a named pipe. */
  readonly socket: string;
  /** Held by the one engine that may listen. */
  readonly lock: string;
  readonly log: string;
  /** Names a process that was started as an engine and does not answer yet. */
  readonly starting: string;
  /** Names the process of the engine. */
  readonly process: string;
}

/** The address of the resident engine; users and cache folders of their own have engines of their own. */
export function residentAddress(
  environment: Environment,
  platform: string = process.platform,
): ResidentAddress {
  const cacheFolder = userCacheFolder(environment);
  const name = createHash('sha256').update(`${userNumber()}\n${cacheFolder}`).digest('hex').slice(0, 16);
  const defaultFolder = join(cacheFolder, 'resident');
  const isTooLong = Buffer.byteLength(join(defaultFolder, 'socket')) > maxSocketPathLength;
  const folder = isTooLong ? join(tmpdir(), `quarry-${userNumber()}-${name}`) : defaultFolder;
  return {
    folder,
    socket: platform === 'win32' ? `\\\\.\\pipe\\quarry-${name}` : join(folder, 'socket'),
    lock: join(folder, 'lock'),
    log: join(folder, 'log'),
    starting: join(folder, 'starting'),
    process: join(folder, 'process'),
  };
}

/** Names the user among those of this machine. In a container the user may have a number and no name. */
function userNumber(): number | string {
  return process.getuid?.() ?? userInfo().username;
}
