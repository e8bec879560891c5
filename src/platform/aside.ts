/** Items that arise beside a stream, between two of its own. */
export interface Aside<Item> {
  readonly add: (item: Item) => void;
  /** Those that have arisen since the last time. */
  take(): Item[];
  /** Resolves when there is one that was not taken. */
  some(): Promise<void>;
}

/** Nothing has arisen yet. */
export function createAside<Item>(): Aside<Item> {
  const items: Item[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  return {
    add(item) {
      items.push(item);
      waiting?.resolve();
      waiting = undefined;
    },
    take: () => items.splice(0),
    some() {
      if (items.length > 0) return Promise.resolve();
      waiting ??= Promise.withResolvers();
      return waiting.promise;
    },
  };
}

/** The items of a stream, and what arises aside as soon as it does. Leaving early closes the stream. */
export async function* withAside<Item, Other>(
  stream: AsyncGenerator<Item>,
  aside: Aside<Other>,
): AsyncGenerator<Item | Other> {
  try {
    for (let next = stream.next(); ; ) {
      // What is thrown is thrown where it is awaited.
      const ended = next.then(
        () => true,
        () => true,
      );
      const isNext = await Promise.race([ended, aside.some().then(() => false)]);
      yield* aside.take();
      if (!isNext) continue;
      const { done, value } = await next;
      if (done) return;
      yield value;
      next = stream.next();
    }
  } finally {
    await stream.return(undefined);
  }
}
