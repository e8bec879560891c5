/**
 * Passes on the events of a stream, calls `look` with each, and returns what the stream returns. An event for which `look`
 * returns `false` is not passed on. Leaving early closes the stream, so that it releases what it holds.
 */
export async function* observe<Event, Result>(
  stream: AsyncGenerator<Event, Result>,
  look: (event: Event) => unknown,
): AsyncGenerator<Event, Result> {
  try {
    let step = await stream.next();
    for (; !step.done; step = await stream.next()) if (look(step.value) !== false) yield step.value;
    return step.value;
  } finally {
    // This closes a stream that was left early, and does nothing to one that has ended.
    await stream.return(undefined as never);
  }
}

/** Runs a stream to its end, calls `look` with each event, and returns its result. If `look` throws, the stream is closed. */
export async function resultOf<Event, Result>(
  stream: AsyncGenerator<Event, Result>,
  look: (event: Event) => void = () => undefined,
): Promise<Result> {
  const observed = observe(stream, (event) => {
    look(event);
    return false;
  });
  const { value } = await observed.next();
  // No event is passed on, so the first step is the result.
  return value as Result;
}

/**
 * The items of several streams, each opened when the one before it has ended. Leaving early closes the open one. A generator
 * would take three turns of the microtask queue more for every item.
 */
export function inTurn<Item>(
  ...streams: readonly (() => AsyncIterable<Item> | Promise<AsyncIterable<Item>>)[]
): AsyncIterableIterator<Item> {
  const ahead = [...streams];
  let current: AsyncIterator<Item> | undefined;
  let isLeft = false;
  const next = (): Promise<IteratorResult<Item>> => current?.next().then(pass) ?? begin();
  const pass = (step: IteratorResult<Item>): IteratorResult<Item> | Promise<IteratorResult<Item>> =>
    step.done ? begin() : step;
  const begin = async (): Promise<IteratorResult<Item>> => {
    current = undefined;
    const open = ahead.shift();
    if (!open) return { done: true, value: undefined };
    const opened = await open();
    // What was left while it was opened is not begun.
    if (isLeft) return { done: true, value: undefined };
    current = opened[Symbol.asyncIterator]();
    return next();
  };
  return {
    next,
    async return() {
      const left = current;
      isLeft = true;
      current = undefined;
      ahead.length = 0;
      await left?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
