import { interrupted } from '../../core/errors.ts';

/** How a stream is parted into pages. */
export interface PageOptions {
  /** Items that make a full page. */
  readonly items: number;
  /** Milliseconds that the first item of a page waits for the others. */
  readonly milliseconds: number;
  readonly signal: AbortSignal;
}

const late = Symbol('late');

/**
 * The items of a stream in pages. A page ends when it is full, or when it has an item and the next one does not come
 * soon: a source that waits for what became of its last item is not kept waiting. Stops at once with the signal, even
 * where the source does not.
 */
export async function* readInPages<Item>(
  source: AsyncIterable<Item>,
  options: PageOptions,
): AsyncGenerator<Item[], void, undefined> {
  const reader = new PageReader(source);
  try {
    while (!reader.hasEnded) {
      const page = await reader.read(options);
      if (options.signal.aborted) throw interrupted(options.signal.reason);
      if (page.length > 0) yield page;
    }
  } finally {
    await reader.leave();
  }
}

class PageReader<Item> {
  readonly #iterator: AsyncIterator<Item>;
  /** An item that was asked for and has not come yet. */
  #coming: Promise<IteratorResult<Item>> | undefined;
  hasEnded = false;

  constructor(source: AsyncIterable<Item>) {
    this.#iterator = source[Symbol.asyncIterator]();
  }

  async read({ items, milliseconds, signal }: PageOptions): Promise<Item[]> {
    const page: Item[] = [];
    const end = Promise.withResolvers<typeof late>();
    const endNow = (): void => end.resolve(late);
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener('abort', endNow);
    try {
      while (page.length < items && !signal.aborted) {
        const result = await Promise.race([this.#next(), end.promise]);
        if (result === late || result.done) break;
        page.push(result.value);
        timer ??= setTimeout(endNow, milliseconds);
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', endNow);
    }
    return page;
  }

  /** Tells the source that nobody reads on. One that still works on its next item hears of it when it is done. */
  async leave(): Promise<void> {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const left = this.#iterator.return?.();
    if (!this.#coming) await left;
    else left?.catch(() => {});
  }

  #next(): Promise<IteratorResult<Item>> {
    this.#coming ??= this.#ask();
    return this.#coming;
  }

  async #ask(): Promise<IteratorResult<Item>> {
    try {
      const result = await this.#iterator.next();
      this.hasEnded = result.done === true;
      return result;
    } catch (thrown) {
      this.hasEnded = true;
      throw thrown;
    } finally {
      this.#coming = undefined;
    }
  }
}
