import { interrupted } from '../src/core/errors.ts';
import type { Clock } from '../src/platform/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly order: number;
  wake(): void;
}

/**
 * A clock whose time passes only when no other work is left: then it jumps to the end of the next wait. Waits end in the
 * order of their moments, equal moments in the order of the calls.
 */
export function createVirtualClock(): Clock {
  // The latest first, so that the next to wake is taken from the end.
  const sleepers: Sleeper[] = [];
  let now = 0;
  let order = 0;
  let isArmed = false;

  const arm = (): void => {
    if (isArmed || sleepers.length === 0) return;
    isArmed = true;
    // An immediate runs after all promises that can continue have continued.
    setImmediate(() => {
      isArmed = false;
      const next = sleepers.pop();
      if (next) {
        now = next.at;
        next.wake();
      }
      arm();
    });
  };
  const add = (sleeper: Sleeper): void => {
    let place = sleepers.length;
    while (place > 0 && isSooner(sleepers[place - 1], sleeper)) place -= 1;
    sleepers.splice(place, 0, sleeper);
    arm();
  };

  return {
    now: () => now,
    wait: (milliseconds, signal) => {
      if (signal?.aborted) return Promise.reject(interrupted(signal.reason));
      if (!(milliseconds > 0)) return Promise.resolve();
      return new Promise((resolve, reject) => {
        order += 1;
        const stop = (): void => {
          const place = sleepers.indexOf(sleeper);
          if (place >= 0) sleepers.splice(place, 1);
          reject(interrupted(signal?.reason));
        };
        const wake = (): void => {
          signal?.removeEventListener('abort', stop);
          resolve();
        };
        const sleeper: Sleeper = { at: now + milliseconds, order, wake };
        signal?.addEventListener('abort', stop, { once: true });
        add(sleeper);
      });
    },
  };
}

function isSooner(one: Sleeper | undefined, other: Sleeper): boolean {
  if (!one) return false;
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
