import { hostname } from 'node:os';
import { defaultTerm, type LeaseRecord, lockLost } from '../contracts/leases.ts';
import { interrupted } from '../core/errors.ts';
import { systemClock } from '../platform/clock.ts';
import { newNonce } from '../platform/nonce.ts';
import { createSerialQueue } from '../platform/serial-queue.ts';

/** A lease is renewed so many times within its term. */
const renewalsInTerm = 3.75;
/** Milliseconds of the first pause of who waits; each is twice as long as the one before, up to the longest. */
const firstPause = 10;
const maxPause = 500;
/** Milliseconds for which the end of a lease is waited for; where it does not arrive, the lease runs out. */
const releaseWithin = 2_000;

/** A lease that this process holds. */
export interface Lease {
  /** Its commits carry it. Fails where it is known that another process has taken over. */
  fence(): number;
  /** Whether its previous holder did not give it back, and may still believe to have it. */
  readonly isTakenOver: boolean;
  /** Fails where another process has taken over, by a look at the record. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/** How a lease is waited for. */
export interface LeaseWait {
  readonly wait?: boolean;
  /** Hears who has it, where another has. */
  readonly onHeld?: (holder: string | undefined) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Takes a lease; undefined where another holds it and `wait` is not set. One that is not renewed for its term is taken
 * over: by the clock of its store, or by that of who has waited so long.
 */
export async function takeLease(
  open: () => Promise<LeaseRecord>,
  { wait = false, onHeld, signal }: LeaseWait = {},
): Promise<Lease | undefined> {
  const holder = `${hostname()
    .replaceAll(/[^!-~]/g, '')
    .slice(0, 100)} ${process.pid} ${newNonce()}`;
  const record = await open();
  let seen = { stamp: '', since: 0 };
  try {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, record.maxPause ?? maxPause)) {
      if (signal?.aborted) throw interrupted(signal.reason);
      const present = await record.read();
      const stamp = `${present?.fence} ${present?.stamp}`;
      if (stamp !== seen.stamp) seen = { stamp, since: performance.now() };
      const isFree = present === undefined || present.state === 'free';
      const isSilent = performance.now() - seen.since >= (record.term ?? defaultTerm);
      if (isFree || present.state === 'over' || isSilent) {
        // Higher than any before, also where the record was lost, or written by a version without fences.
        const fence = Math.max((present?.fence ?? 0) + 1, Date.now());
        if (await record.replace(present?.fence, { holder, fence }))
          return keepLease(record, holder, fence, !isFree);
      }
      onHeld?.(holderName(present?.holder));
      if (!wait) break;
      await systemClock.wait(pause, signal);
    }
  } catch (thrown) {
    await record.close();
    throw thrown;
  }
  await record.close();
  return undefined;
}

/** A holder for people: `process 4711 on workshop`; undefined where it is none that this version has written. */
function holderName(holder: string | undefined): string | undefined {
  const [, machine, process] = /^([!-~]+) (\d{1,10})(?: |$)/.exec(holder ?? '') ?? [];
  return machine && process && `process ${process} on ${machine}`;
}

function keepLease(record: LeaseRecord, holder: string, fence: number, isTakenOver: boolean): Lease {
  let isHeld = true;
  let isLost = false;
  const queue = createSerialQueue();
  const own = { holder, fence };
  const renew = (): Promise<void> =>
    queue(async () => {
      if (isLost || (await record.replace(fence, own))) return;
      // The record may be gone with all others. What another has had is not taken back, not even where that is gone by now.
      const present = await record.read();
      isLost = (present?.fence ?? 0) > fence || !(await record.replace(present?.fence, own));
    });
  // A renewal that fails is tried again with the next one.
  const renewSoon = () => void renew().catch(() => undefined);
  const timer = setInterval(renewSoon, (record.term ?? defaultTerm) / renewalsInTerm);
  timer.unref();
  return {
    isTakenOver,
    fence() {
      if (isLost) throw lockLost();
      return fence;
    },
    async confirm() {
      await renew();
      if (isLost) throw lockLost();
    },
    async release() {
      if (!isHeld) return;
      isHeld = false;
      clearInterval(timer);
      // A record that is gone with its folder is not made again.
      const over = queue(async () => isLost || record.replace(fence, { holder: '', fence }))
        // Where this does not arrive, the lease runs out.
        .catch(() => undefined)
        .then(() => record.close());
      await Promise.race([over, new Promise((resolve) => setTimeout(resolve, releaseWithin).unref())]);
    },
  };
}
