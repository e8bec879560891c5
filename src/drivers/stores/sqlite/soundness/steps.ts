import { setImmediate } from 'node:timers/promises';
import { interrupted, QuarryError } from '../../../../core/errors.ts';

/** Rows that are looked at before other work gets its turn. */
export const rowsPerStep = 256;

/** The next number of a walk by rising numbers; throws where a damaged table would lead it in a circle. */
export function rising(last: number, next: unknown): number {
  const number = Number(next);
  if (number > last) return number;
  throw new QuarryError('store-corrupt', `Row ${number} stands behind row ${last}.`, 'Run: quarry repair');
}

/** Milliseconds that long work may keep the process for itself. */
const maxTurn = 20;

/** Runs steps, letting other work of the process have its turn in between; stops with `interrupted` on a signal. */
export async function* inTurns<Found>(
  steps: Iterable<Found | undefined>,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  let end = performance.now() + maxTurn;
  for (const found of steps) {
    if (signal?.aborted) throw interrupted(signal.reason);
    if (found !== undefined) yield found;
    if (performance.now() < end) continue;
    await setImmediate();
    end = performance.now() + maxTurn;
  }
}
