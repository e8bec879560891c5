/** Items that arise beside a stream, between two of its own. */
export interface Aside<Item> {
  readonly add: (item: Item) => void;
  /** Those that have arisen since the last time. */
  take(): Item[];
  /** Calls this, in place of any before it, each time that one arises. */
  onAdd(listener: () => void): void;
}

/** Nothing has arisen yet. */
export function createAside<Item>(): Aside<Item> {
  const items: Item[] = [];
  let hear = (): void => {};
  return {
    add(item) {
      items.push(item);
      hear();
    },
    take: () => items.splice(0),
    onAdd(listener) {
      hear = listener;
    },
  };
}

/** The items of a stream, and what arises aside as soon as it does. Leaving early closes the stream. */
export async function* withAside<Item, Other>(
  stream: AsyncGenerator<Item>,
  aside: Aside<Other>,
): AsyncGenerator<Item | Other> {
  let isThere = false;
  let wake = (): void => {};
  const arrive = (): void => {
    isThere = true;
    wake();
  };
  const step = (): Promise<IteratorResult<Item>> => {
    isThere = false;
    const next = stream.next();
    // What is thrown is thrown where it is awaited.
    next.then(arrive, arrive);
    return next;
  };
  aside.onAdd(() => wake());
  try {
    for (let next = step(); ; ) {
      const others = aside.take();
      if (others.length > 0) {
        yield* others;
        continue;
      }
      if (!isThere) {
        // No race of promises: where nothing arises aside, its promise would hold on to something of each item.
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { done, value } = await next;
      if (done) return;
      yield value;
      next = step();
    }
  } finally {
    await stream.return(undefined);
  }
}
