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
  const running = new Map<number, Promise<{ ticket: number; outcome: Outcome<Item, Value> }>>();
  let lastTicket = 0;
  let weight = 0;
  const finishOne = async (): Promise<Outcome<Item, Value>> => {
    const { ticket, outcome } = await Promise.race(running.values());
    running.delete(ticket);
    weight -= weightOf(outcome.item);
    return outcome;
  };
  for (const item of items) {
    while (running.size > 0 && weight + weightOf(item) > max) yield await finishOne();
    weight += weightOf(item);
    lastTicket += 1;
    const ticket = lastTicket;
    const done = work(item).then(
      (value) => ({ ticket, outcome: { item, value } }),
      (error: unknown) => ({ ticket, outcome: { item, error } }),
    );
    running.set(ticket, done);
    if (running.size >= limit) yield await finishOne();
  }
  while (running.size > 0) yield await finishOne();
}
