import { join } from 'node:path';
import type { DriverContext } from '../../../contracts/driver.ts';
import type { StoreLock, StoreLocks } from '../../../contracts/store.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { tryLock, waitForLock } from '../../../platform/sqlite/writer-lock.ts';
import { takeLease } from '../leases.ts';
import { type Location, placeOf } from './location.ts';
import { openRecords } from './records.ts';

/** Takes a lock of the project: a file in a folder of this machine, else a row that its holder renews. */
export async function takeLock(
  location: Location,
  context: DriverContext,
  name: string,
  options: Parameters<StoreLocks['take']>[1] = {},
): Promise<StoreLock | undefined> {
  const { folder, collection } = location;
  if (folder === undefined)
    return takeLease(placeOf(location), () => openRecords(location, context), name, options);
  await makeFolder(folder, 0o700);
  const path = join(folder, `${collection}--${name}`);
  return options.wait ? waitForLock(path, { signal: options.signal }) : tryLock(path);
}
