/** Values that one part puts in and another reads as a stream. */
export interface Queue<Value> extends AsyncIterable<Value> {
  push(value: Value): void;
  /** Ends the stream after what is in it. */
  end(): void;
}

/** An empty queue. It holds this many values at most: a reader that is too slow loses the oldest. */
export function createQueue<Value>(max: number, first: readonly Value[] = []): Queue<Value> {
  const values = [...first];
  let hasEnded = false;
  let wake = (): void => undefined;
  return {
    push(value) {
      if (values.length >= max) values.shift();
      values.push(value);
      wake();
    },
    end() {
      hasEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (values.length > 0) yield values.shift() as Value;
        if (hasEnded) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
