import type { ChunkScore } from '../../contracts/reranker.ts';
import { onAbort } from '../../platform/abort.ts';

/**
 * Scores chunks one by one, a few at a time, the first ones first, and hands each score over as soon as it is known.
 * Ends without an error when the signal stops it, even while a score is being made; any other failure is thrown.
 */
export async function* scoreEach(
  chunks: readonly string[],
  concurrency: number,
  signal: AbortSignal,
  score: (chunk: string) => Promise<number>,
): AsyncGenerator<readonly ChunkScore[]> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const running = new Map<number, Promise<ChunkScore>>();
  let next = 0;
  const begin = (): void => {
    const index = next;
    next += 1;
    const scoring = score(chunks[index] ?? '').then((value) => ({ index, score: value }));
    // One that fails after the end of the call has nobody left to hear of it.
    scoring.catch(() => {});
    running.set(index, scoring);
  };
  const ignore = onAbort(signal, () => stop(undefined));
  try {
    while (!signal.aborted) {
      while (running.size < concurrency && next < chunks.length) begin();
      if (running.size === 0) return;
      const scored = await Promise.race([stopped, ...running.values()]);
      if (!scored) return;
      running.delete(scored.index);
      yield [scored];
    }
  } finally {
    ignore();
  }
}
