import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * What waits to be read from inotify waits in one queue for all folders that a thread watches. When it is full, the system
 * drops what follows, and Node.js does not tell. So a long row of events within one turn counts as the sign of a full queue.
 */
const listeners = new Set<() => void>();
let inThisTurn = 0;
let maxAtOnce: number | undefined;

/** Calls the listener when events may have been dropped, until the returned function is called. */
export function whenQueueFills(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Counts an event that was read. */
export function countEvent(): void {
  if (inThisTurn === 0)
    setImmediate(() => {
      inThisTurn = 0;
    });
  inThisTurn += 1;
  maxAtOnce ??= lengthOfQueue() / 4;
  if (inThisTurn === Math.ceil(maxAtOnce)) for (const listener of listeners) listener();
}

/**
 * Resolves when all events are read of what was done before the call. The system queues an event before the call that
 * changed a file returns, and each turn of the event loop reads the whole queue; this turn may have read it already.
 */
export async function readQueue(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

function lengthOfQueue(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384;
  } catch {
    // Not Linux, or one without /proc: the usual length.
    return 16_384;
  }
}
