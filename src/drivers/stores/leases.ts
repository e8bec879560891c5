import { randomUUID } from 'node:crypto';
import type { StoreLock, StoreLocks } from '../../contracts/store.ts';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { systemClock } from '../../platform/clock.ts';

/** Values by key that several machines share, each replaced in one step. */
export interface SharedRecords {
  read(key: string): Promise<string | undefined>;
  /** Sets a value where the present one is still the expected one; false where another was quicker. */
  replace(key: string, expected: string | undefined, value: string): Promise<boolean>;
  close(): void;
}

/** Milliseconds after which a lock that nobody renews may be taken over: its holder has ended or cannot be reached. */
const leaseTime = 30_000;
const renewEvery = 8_000;
/** Milliseconds after a renewal for which nobody can have taken over: a write in this time asks nobody. */
const sureFor = 20_000;
/** Milliseconds by which the clocks of two machines may differ. */
const clockDifference = 90_000;
/** Milliseconds between two attempts to take a lock that another holds. */
const lookAgainAfter = 500;
const free = '';

/** A lock of this process. */
interface Lease {
  /** Fails where it cannot be sure that the lock is still its own. */
  confirm(): Promise<void>;
}

/** What this process holds, by the place that it belongs to. */
const heldAt = new Map<string, Set<Lease>>();

/**
 * Fails where another process has taken over a lock that this one believes to hold at a place. Each write begins with it: a
 * process that was paused for longer than a lease writes nothing more, except what it had sent before.
 */
export async function checkLeases(place: string): Promise<void> {
  for (const lease of heldAt.get(place) ?? []) await lease.confirm();
}

/** The error for a write of a process whose lock another one has by now. */
export function lockLost(): QuarryError {
  return new QuarryError(
    'lock-lost',
    'Another process has taken over the work on this index, because this one did not answer for a while.',
    'Nothing was overwritten. Run it again if the other one does not finish.',
  );
}

/**
 * Takes a lock that is a record which its holder renews. Who waits takes it over when it has not changed for the time of a
 * lease; who does not wait goes by the moment in it, which another clock may have given.
 */
export async function takeLease(
  place: string,
  open: () => Promise<SharedRecords>,
  name: string,
  { wait = false, signal }: NonNullable<Parameters<StoreLocks['take']>[1]> = {},
): Promise<StoreLock | undefined> {
  const key = `lock:${name}`;
  const holder = randomUUID();
  const records = await open();
  let seen = { value: free, since: 0 };
  try {
    for (;;) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const present = await records.read(key);
      if (present !== seen.value) seen = { value: present ?? free, since: performance.now() };
      const isOver = isFree(present) || performance.now() - seen.since >= leaseTime;
      if (isOver) {
        const own = leaseValue(holder);
        if (await records.replace(key, present, own)) return keepLease(place, records, key, holder, own);
      }
      if (!wait) break;
      await systemClock.wait(lookAgainAfter, signal);
    }
  } catch (thrown) {
    records.close();
    throw thrown;
  }
  records.close();
  return undefined;
}

function leaseValue(holder: string): string {
  return `${holder} ${Date.now()}`;
}

function isFree(value: string | undefined): boolean {
  if (value === undefined || value === free) return true;
  const moment = Number(value.split(' ')[1]);
  return Date.now() - moment > leaseTime + clockDifference;
}

function keepLease(
  place: string,
  records: SharedRecords,
  key: string,
  holder: string,
  first: string,
): StoreLock {
  let current = first;
  let renewed = moments();
  let isLost = false;
  let work: Promise<unknown> = Promise.resolve();
  const change = (value: string): Promise<void> => {
    const turn = work.then(async () => {
      // What another has had is not taken back, not even where its record is gone by now.
      if (isLost) return;
      const began = moments();
      if (!(await records.replace(key, current, value))) {
        // The answer to a previous change may have been lost on its way, or the record with all others.
        const present = await records.read(key);
        const isOwn = present === undefined || present.startsWith(`${holder} `);
        isLost = !isOwn || !(await records.replace(key, present, value));
      }
      current = value;
      renewed = began;
    });
    // The caller hears of it; the next change only waits for its turn.
    work = turn.catch(() => undefined);
    return turn;
  };
  const renew = () => change(leaseValue(holder));
  const lease: Lease = {
    async confirm() {
      if (!isLost && since(renewed) > sureFor) await renew();
      if (isLost) throw lockLost();
    },
  };
  const held = heldAt.get(place) ?? new Set();
  heldAt.set(place, held.add(lease));
  // A renewal that fails is tried again with the next one; where a release does not arrive, the lease ends by itself.
  const timer = setInterval(() => void renew().catch(() => undefined), renewEvery);
  timer.unref();
  return {
    release() {
      if (!held.delete(lease)) return;
      clearInterval(timer);
      // Where this does not arrive, the lease ends by itself.
      void change(free)
        .catch(() => undefined)
        .finally(() => records.close());
    },
  };
}

/** The present by two clocks: one may be set back, the other stands still while the machine sleeps. */
function moments() {
  return { steady: performance.now(), wall: Date.now() };
}

function since({ steady, wall }: ReturnType<typeof moments>): number {
  return Math.max(performance.now() - steady, Date.now() - wall);
}
