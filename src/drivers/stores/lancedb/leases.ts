import { join } from 'node:path';
import type { DriverContext } from '../../../contracts/driver.ts';
import { defaultTerm, type LeaseRecord } from '../../../contracts/leases.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { fileLease } from '../leases.ts';
import type { Location } from './location.ts';
import { openRecords } from './records.ts';

/** Milliseconds by which the clocks of two machines may differ. */
const clockDifference = 90_000;

/** The record of a lease: a file in a folder of this machine, else a row. */
export async function openLease(
  location: Location,
  context: DriverContext,
  name: string,
): Promise<LeaseRecord> {
  const { folder, collection } = location;
  if (folder === undefined) return rowLease(location, context, `lock:${name}`);
  return fileLease(join(folder, `${collection}--${name}`), () => makeFolder(folder, 0o700));
}

async function rowLease(location: Location, context: DriverContext, key: string): Promise<LeaseRecord> {
  const records = await openRecords(location, context);
  return {
    async read() {
      const value = await records.read(key);
      if (value === undefined) return undefined;
      const { holder, renewed, fence } = parse(value);
      const isOver = Date.now() - renewed > defaultTerm + clockDifference;
      const state = holder === '' ? 'free' : isOver ? 'over' : 'held';
      return { fence, stamp: renewed, state, holder: holder.replaceAll('/', ' ') };
    },
    async replace(expected, { holder, fence }) {
      const present = await records.read(key);
      if ((present === undefined ? undefined : parse(present).fence) !== expected) return false;
      const renewed = holder === '' ? 0 : Date.now();
      return records.replace(key, present, `${holder.replaceAll(' ', '/')} ${renewed} ${fence}`);
    },
    close: async () => records.close(),
  };
}

/** A version without fences wrote none: the time of its renewal stands for one, as it is later than that of any before. */
function parse(value: string): { readonly holder: string; readonly renewed: number; readonly fence: number } {
  const [holder = '', renewed = '0', fence = renewed] = value.split(' ');
  return { holder, renewed: Number(renewed), fence: Number(fence) };
}
