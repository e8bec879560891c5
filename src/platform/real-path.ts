import { realpath as realpathByParts } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * The path with every link resolved. Windows cannot name everything that it has opened (a drive in memory, under Wine a
 * long path): there each part of the path is looked at instead.
 */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (process.platform !== 'win32' || (code !== 'UNKNOWN' && code !== 'EISDIR')) throw thrown;
    return promisify(realpathByParts)(path);
  }
}
