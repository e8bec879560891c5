import { randomUUID } from 'node:crypto';
import type { StoreLocks } from '../../../contracts/store.ts';
import { interrupted } from '../../../core/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { KeepingServer } from './server.ts';

/** Seconds after which the server lets go of a lock that nobody renews: its holder has ended or cannot be reached. */
const leaseSeconds = 30;
const renewEvery = 10_000;
/** Milliseconds between two attempts to take a lock that another holds. */
const lookAgainAfter = 300;

/** A lock that this process holds on a server. */
interface HeldLock {
  readonly name: string;
  readonly holder: string;
}

/** What this process holds, by the address of the project on its server. */
const held = new Map<string, Set<HeldLock>>();

/** The locks of a project that this process believes to hold: the server lets no write in after another took one over. */
export function heldLocks({ address }: KeepingServer): readonly HeldLock[] {
  return [...(held.get(address) ?? [])];
}

/** Locks that the server keeps, so that writers on several machines are kept apart. */
export function remoteLocks(server: KeepingServer): StoreLocks {
  return {
    async take(name, { wait = false, signal } = {}) {
      const holder = randomUUID();
      const path = `/locks/${encodeURIComponent(name)}`;
      const renew = async (): Promise<boolean> => {
        const answer = await server.ask(path, { holder, seconds: leaseSeconds }, { signal });
        return (answer as { held?: unknown }).held === true;
      };
      while (!(await renew())) {
        if (!wait) return undefined;
        if (signal?.aborted) throw interrupted(signal.reason);
        await systemClock.wait(lookAgainAfter, signal);
      }
      // A renewal that fails is tried again with the next one; the lease is longer than two of them.
      const timer = setInterval(
        () => void server.ask(path, { holder, seconds: leaseSeconds, renew: true }).catch(() => undefined),
        renewEvery,
      );
      timer.unref();
      const lock = { name, holder };
      const all = held.get(server.address) ?? new Set();
      held.set(server.address, all.add(lock));
      return {
        release() {
          if (!all.delete(lock)) return;
          clearInterval(timer);
          // Where this does not arrive, the lease ends by itself.
          void server.ask(path, { holder, seconds: 0 }).catch(() => undefined);
        },
      };
    },
  };
}
