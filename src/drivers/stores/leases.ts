import { z } from 'zod';
import { defaultTerm, type KnownLease, type LeaseRecord, type LeaseState } from '../../contracts/leases.ts';
import { overwriteOwnFile, readOwnFile } from '../../platform/own-files.ts';
import { lockIfFree, tryLock, type WriterLock } from '../../platform/sqlite/writer-lock.ts';

/** A lease as it is kept, with the time of its renewal in milliseconds since 1970. */
export interface KeptLease extends LeaseState {
  readonly renewed: number;
}

/** Bytes of the file of a lease, which is filled up with spaces. */
const fileBytes = 1_024;
/** Characters of a holder that are kept: quoted, each may take two bytes. */
const maxHolder = 200;
/** How far a clock may have been ahead when a fence was made: a year, in milliseconds. */
const maxAhead = 366 * 24 * 3600 * 1000;
const fileSchema = z.object({
  holder: z.string(),
  fence: z.int().min(0),
  renewed: z.number(),
  /** Which lock of the operating system its holder has. */
  turn: z.int().min(0).max(1_000).default(0),
});
type LeaseFile = z.output<typeof fileSchema>;

/** A record that one process keeps for all who ask it, by its own clock. */
export function timedLease(load: () => KeptLease | undefined, save: (lease: KeptLease) => void): LeaseRecord {
  return {
    async read() {
      const known = load();
      if (!known) return undefined;
      const { holder, fence, renewed } = known;
      const isOver = Date.now() - renewed > defaultTerm;
      return { fence, holder, stamp: renewed, state: holder === '' ? 'free' : isOver ? 'over' : 'held' };
    },
    async replace(expected, state) {
      if (load()?.fence !== expected) return false;
      save({ ...state, renewed: Date.now() });
      return true;
    },
    close: async () => {},
  };
}

/** A record in a file, for processes elsewhere that ask this one. */
export function servedLease(path: string): LeaseRecord {
  return timedLease(
    () => readLease(path),
    (lease) => writeLease(path, { ...lease, turn: 0 }),
  );
}

/**
 * A record in a file, for processes of this machine. Its holder has a lock of the operating system besides, which ends with
 * its process, however that ends. A holder that is paused keeps that lock: who takes over takes the next one, which the
 * record names.
 */
export function fileLease(path: string, prepare: () => Promise<void> = async () => {}): LeaseRecord {
  const file = `${path}.json`;
  const turnNow = () => readLease(file)?.turn ?? 0;
  /** The locks that this process has, by their turns. */
  const own = new Map<number, WriterLock>();
  let isFirst = true;
  const leave = async () => {
    for (const lock of own.values()) lock.release();
    own.clear();
  };
  /** Takes the lock of a turn, and the first one with it where that is free again: versions without records know no other. */
  const takeLock = async (turn: number): Promise<void> => {
    const take = isFirst ? tryLock : lockIfFree;
    isFirst = false;
    const lock = await take(turn === 0 ? path : `${path}-${turn}`);
    if (!lock) return;
    own.set(turn, lock);
    const first = turn > 0 ? lockIfFree(path) : undefined;
    if (first) own.set(0, first);
  };
  return {
    term: 60_000,
    maxPause: 100,
    async read(): Promise<KnownLease | undefined> {
      await prepare();
      if (own.size === 0) await takeLock(turnNow());
      const known = readLease(file);
      // Another process may have moved on to the next lock while this one was taken.
      if (own.size > 0 && !own.has(known?.turn ?? 0)) await leave();
      if (own.size > 0) return known && { fence: known.fence, stamp: known.renewed, state: 'free' };
      // Where a version without records has the lock, nobody takes it over: each look sees another stamp.
      const stamp = known?.holder ? known.renewed : performance.now();
      return { fence: known?.fence ?? 0, stamp, state: 'held', holder: known?.holder };
    },
    async replace(expected, state) {
      if (own.size === 0) await takeLock(turnNow() + 1);
      if (own.size === 0) return false;
      const known = readLease(file);
      if (known?.fence !== expected) {
        if (known) await leave();
        return false;
      }
      writeLease(file, { ...state, renewed: Date.now(), turn: Math.min(...own.keys()) });
      return true;
    },
    close: leave,
  };
}

function writeLease(file: string, { holder, ...lease }: LeaseFile): void {
  // A client may say anything of itself, and the file has its size.
  const known = { ...lease, holder: holder.replaceAll(/[^ !-~]/g, '').slice(0, maxHolder) };
  overwriteOwnFile(file, JSON.stringify(known).padEnd(fileBytes));
}

/**
 * What the file says; nothing where it is absent, half written, or not ours. No fence is far ahead of the clock, so that one
 * that somebody planted does not lead to commits which none after a lost record could follow.
 */
function readLease(file: string): LeaseFile | undefined {
  try {
    const bytes = readOwnFile(file, { maxBytes: fileBytes });
    const lease = bytes && fileSchema.safeParse(JSON.parse(bytes.toString())).data;
    return lease && lease.fence <= Date.now() + maxAhead ? lease : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
