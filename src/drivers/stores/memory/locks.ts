import type { StoreLocks } from '../../../contracts/store.ts';
import { interrupted } from '../../../core/errors.ts';

/** Resolves when the lock of this folder and name is free again. */
const held = new Map<string, Promise<void>>();

/** Locks within this process: nobody else sees what is kept in its memory. */
export function memoryLocks(stateFolder: string): StoreLocks {
  return {
    async take(name, { wait = false, signal } = {}) {
      const key = `${stateFolder}\n${name}`;
      for (let free = held.get(key); free; free = held.get(key)) {
        if (!wait) return undefined;
        await Promise.race([free, aborted(signal)]);
      }
      if (signal?.aborted) throw interrupted(signal.reason);
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(key, promise);
      return {
        release() {
          if (held.get(key) === promise) held.delete(key);
          resolve();
        },
      };
    },
  };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(interrupted(signal?.reason));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
