/** The outcome of one item. */
export type Outcome<Item, Value> =
  | { readonly item: Item; readonly value: Value }
  | { readonly item: Item; readonly error: unknown };

/** A limit on the total weight of items in progress; a heavier item is processed alone. */
export interface Weighing<Item> {
  readonly max: number;
  weightOf(item: Item): number;
}

/** Processes at most `limit` items at a time and yields each when it is done. A slow consumer slows the work down. */
export async function* mapConcurrently<Item, Value>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Value>,
  { max, weightOf }: Weighing<Item> = { max: 0, weightOf: () => 0 },
): AsyncGenerator<Outcome<Item, Value>> {
  const done: Outcome<Item, Value>[] = [];
  let running = 0;
  let weight = 0;
  let wake = (): void => {};
  const add = (outcome: Outcome<Item, Value>): void => {
    done.push(outcome);
    wake();
  };
  // No race of promises: the slowest item would hold on to what all others came to meanwhile.
  const finishOne = async (): Promise<Outcome<Item, Value>> => {
    if (done.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    const outcome = done.shift() as Outcome<Item, Value>;
    running -= 1;
    weight -= weightOf(outcome.item);
    return outcome;
  };
  for (const item of items) {
    while (running > 0 && weight + weightOf(item) > max) yield await finishOne();
    weight += weightOf(item);
    running += 1;
    work(item).then(
      (value) => add({ item, value }),
      (error: unknown) => add({ item, error }),
    );
    if (running >= limit) yield await finishOne();
  }
  while (running > 0) yield await finishOne();
}
