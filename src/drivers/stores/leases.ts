import { randomUUID } from 'node:crypto';
import type { StoreLock, StoreLocks } from '../../contracts/store.ts';
import { interrupted } from '../../core/errors.ts';
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
/** Milliseconds by which the clocks of two machines may differ. */
const clockDifference = 90_000;
/** Milliseconds between two attempts to take a lock that another holds. */
const lookAgainAfter = 500;
const free = '';

/**
 * Takes a lock that is a record which its holder renews. Who waits takes it over when it has not changed for the time of a
 * lease; who does not wait goes by the moment in it, which another clock may have given.
 */
export async function takeLease(
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
        if (await records.replace(key, present, own)) return keepLease(records, key, holder, own);
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

function keepLease(records: SharedRecords, key: string, holder: string, first: string): StoreLock {
  let current = first;
  let isHeld = true;
  let work: Promise<unknown> = Promise.resolve();
  const change = (value: string) => {
    work = work
      .then(async () => {
        if (await records.replace(key, current, value)) current = value;
      })
      // A renewal that fails is tried again with the next one; where a release does not arrive, the lease ends by itself.
      .catch(() => undefined);
    return work;
  };
  const timer = setInterval(() => void change(leaseValue(holder)), renewEvery);
  timer.unref();
  return {
    release() {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(timer);
      void change(free).finally(() => records.close());
    },
  };
}
