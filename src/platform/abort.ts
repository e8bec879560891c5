import { interrupted } from '../core/errors.ts';

/** Calls `stop` once when the signal is aborted, at once where it already is. Returns what ends the listening. */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return () => signal?.removeEventListener('abort', stop);
}

/**
 * What the work gives, or `interrupted` as soon as the signal is aborted. Work is not begun where the signal is aborted
 * already; work that was begun continues, for others that share it.
 */
export async function unlessAborted<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal?.aborted) throw interrupted(signal.reason);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const ignore = onAbort(signal, () => reject(interrupted(signal?.reason)));
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    ignore();
  }
}
