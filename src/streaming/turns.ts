import { interrupted } from '../core/errors.ts';
import { onAbort } from '../platform/abort.ts';

/** Lets one at a time do something under a name, and only so many at once under all names. */
export interface Turns {
  /** Resolves when it is the caller's turn, with what ends the turn. `onWait` is called where others come first. */
  take(name: string, signal: AbortSignal, onWait: () => void): Promise<() => void>;
  isBusy(): boolean;
}

/** Everybody who comes is served in order. */
export function createTurns(maxAtOnce: number): Turns {
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
  const turnOf = (name: string): (() => void) => {
    active.add(name);
    return () => {
      active.delete(name);
      serve();
    };
  };
  return {
    isBusy: () => active.size > 0,
    take(name, signal, onWait) {
      if (!active.has(name) && active.size < maxAtOnce) return Promise.resolve(turnOf(name));
      onWait();
      return new Promise((resolve, reject) => {
        const place = {
          name,
          begin: () => {
            ignore();
            resolve(turnOf(name));
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
