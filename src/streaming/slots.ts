import { interrupted } from '../core/errors.ts';
import { onAbort } from '../platform/abort.ts';

/** Lets one at a time do something under a name, and only so many at once under all names. */
export interface Slots {
  /** Resolves when the caller has a slot, with what gives it back. `onWait` is called where others come first. */
  take(name: string, signal: AbortSignal, onWait: () => void): Promise<() => void>;
  isBusy(): boolean;
}

/** Everybody who comes is served in order. */
export function createSlots(maxAtOnce: number): Slots {
  const active = new Set<string>();
  const waiting: { name: string; begin: () => void }[] = [];
  const serve = (): void => {
    for (const next of [...waiting]) {
      if (active.size >= maxAtOnce) return;
      if (active.has(next.name)) continue;
      waiting.splice(waiting.indexOf(next), 1);
      next.begin();
    }
  };
  const slotOf = (name: string): (() => void) => {
    active.add(name);
    return () => {
      active.delete(name);
      serve();
    };
  };
  return {
    isBusy: () => active.size > 0,
    take(name, signal, onWait) {
      if (!active.has(name) && active.size < maxAtOnce) return Promise.resolve(slotOf(name));
      onWait();
      return new Promise((resolve, reject) => {
        const place = {
          name,
          begin: () => {
            ignore();
            resolve(slotOf(name));
          },
        };
        waiting.push(place);
        const ignore = onAbort(signal, () => {
          const at = waiting.indexOf(place);
          if (at >= 0) waiting.splice(at, 1);
          reject(interrupted(signal.reason));
        });
      });
    },
  };
}
