import type { ChunkScore, RerankOptions } from '../../contracts/reranker.ts';
import { onAbort } from '../../platform/abort.ts';

/**
 * Scores chunks one by one, a few at a time, the first ones first, and hands each score over as soon as it is known. A
 * chunk that would not be through in time, judged by those before it, is not begun: it could change no answer, and the
 * next query would wait for it. Ends without an error when the signal stops it, even while a score is being made; any
 * other failure is thrown.
 */
export async function* scoreEach(
  chunks: readonly string[],
  concurrency: number,
  { budgetMs, signal }: RerankOptions,
  score: (chunk: string) => Promise<number>,
): AsyncGenerator<readonly ChunkScore[]> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  const running = new Map<number, Promise<ChunkScore>>();
  const deadline = performance.now() + budgetMs;
  let spent = 0;
  let done = 0;
  let next = 0;
  const begin = (): void => {
    const index = next;
    next += 1;
    const begun = performance.now();
    const scoring = score(chunks[index] ?? '').then((value) => {
      spent += performance.now() - begun;
      done += 1;
      return { index, score: value };
    });
    // One that fails after the end of the call has nobody left to hear of it.
    scoring.catch(() => {});
    running.set(index, scoring);
  };
  const isInTime = () => done === 0 || performance.now() + spent / done <= deadline;
  const ignore = onAbort(signal, () => stop(undefined));
  try {
    while (!signal.aborted) {
      while (running.size < concurrency && next < chunks.length && isInTime()) begin();
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
