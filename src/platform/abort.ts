import { interrupted } from '../core/errors.ts';

/** Calls `stop` once when the signal is aborted, at once if it already is. The returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, stop: () => void): () => void {
  if (signal?.aborted) stop();
  else signal?.addEventListener('abort', stop, { once: true });
  return () => signal?.removeEventListener('abort', stop);
}

/**
 * The result of the work, or `interrupted` as soon as the signal is aborted. Work does not begin if the signal is already
 * aborted. Work that has begun continues, because other callers may share it.
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
