import { setImmediate } from 'node:timers/promises';
import { interrupted } from '../../../../core/errors.ts';

/** Milliseconds that long work may keep the process for itself. */
const longestTurn = 20;

/** Runs steps, letting other work of the process have its turn in between; stops with `interrupted` on a signal. */
export async function* inTurns<Found>(
  steps: Iterable<Found | undefined>,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  let end = performance.now() + longestTurn;
  for (const found of steps) {
    if (signal?.aborted) throw interrupted(signal.reason);
    if (found !== undefined) yield found;
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + longestTurn;
  }
}
