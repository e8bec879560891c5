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

/** Locks that the server keeps, so that writers on several machines are kept apart. */
export function remoteLocks(server: KeepingServer): StoreLocks {
  return {
    async take(name, { wait = false, signal } = {}) {
      const holder = randomUUID();
      const path = `/locks/${encodeURIComponent(name)}`;
      const renew = async (): Promise<boolean> => {
        const answer = await server.ask(path, { holder, seconds: leaseSeconds }, signal);
        return (answer as { held?: unknown }).held === true;
      };
      while (!(await renew())) {
        if (!wait) return undefined;
        if (signal?.aborted) throw interrupted(signal.reason);
        await systemClock.wait(lookAgainAfter, signal);
      }
      // A renewal that fails is tried again with the next one; the lease is longer than two of them.
      const timer = setInterval(
        () => void server.ask(path, { holder, seconds: leaseSeconds }).catch(() => undefined),
        renewEvery,
      );
      timer.unref();
      let isHeld = true;
      return {
        release() {
          if (!isHeld) return;
          isHeld = false;
          clearInterval(timer);
          // Where this does not arrive, the lease ends by itself.
          void server.ask(path, { holder, seconds: 0 }).catch(() => undefined);
        },
      };
    },
  };
}
