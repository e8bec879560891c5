import { setTimeout as pause } from 'node:timers/promises';
import { unlessAborted } from '../../platform/abort.ts';

/** Items of a full page. */
const fullPage = 256;
/** Milliseconds that the first item of a page waits for the others. */
const maxWait = 10;

/**
 * The items of a stream in pages. A page ends when it is full, or when it has an item and the next one does not come
 * soon: a source that waits for the outcome of its last item is not kept waiting. Stops with the signal, even where the
 * source does not.
 */
export async function* inPages<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item[], void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  /** The next item, from the moment it is asked for until it is taken. */
  let coming: Promise<IteratorResult<Item>> | undefined;
  const next = (): Promise<IteratorResult<Item>> => {
    coming ??= iterator.next();
    return coming;
  };
  try {
    for (let hasEnded = false; !hasEnded; ) {
      const page: Item[] = [];
      let step: IteratorResult<Item> | undefined = await unlessAborted(next, signal);
      const late = pause(maxWait, undefined);
      while (step) {
        coming = undefined;
        hasEnded = step.done === true;
        if (!step.done) page.push(step.value);
        if (hasEnded || page.length === fullPage) break;
        step = await Promise.race([next(), late]);
      }
      if (page.length > 0) yield page;
    }
  } finally {
    // A source that is still at work on its next item is not waited for.
    const closed = Promise.resolve(iterator.return?.()).catch(() => {});
    if (!coming) await closed;
  }
}
