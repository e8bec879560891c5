import type { Weighing } from './map-concurrently.ts';

/**
 * Works on items as they come, at most `limit` at a time, and yields what each came to in their order, as soon as it is
 * known. A failure of the items or of the work is thrown in its place, and nothing is begun after it. However this ends, what was
 * begun is over then.
 */
export async function* mapInOrder<Item, Value>(
  items: Iterator<Item> | AsyncIterator<Item>,
  limit: number,
  work: (item: Item) => Promise<Value>,
  { max, weightOf }: Weighing<Item> = { max: 1, weightOf: () => 0 },
): AsyncGenerator<Value> {
  const begun: { readonly outcome: Promise<Value>; readonly weight: number }[] = [];
  let taking: Promise<void> | undefined;
  let weight = 0;
  let hasMore = true;
  const begin = (outcome: Promise<Value>, itsWeight: number): void => {
    // It is awaited in its turn.
    outcome.catch(() => {
      hasMore = false;
    });
    weight += itsWeight;
    begun.push({ outcome, weight: itsWeight });
  };
  const take = async (): Promise<void> => {
    try {
      const { done, value } = await items.next();
      if (done) hasMore = false;
      else if (hasMore) begin(work(value), weightOf(value));
    } catch (thrown) {
      begin(Promise.reject(thrown), 0);
    }
  };
  try {
    for (;;) {
      if (hasMore && begun.length < limit && (weight < max || begun.length === 0))
        taking ??= take().then(() => {
          taking = undefined;
        });
      const [first] = begun;
      if (!first && !taking) return;
      const next = await Promise.race(
        [first?.outcome.then(() => first), taking].filter((each) => each !== undefined),
      );
      if (!next) continue;
      begun.shift();
      weight -= next.weight;
      yield await next.outcome;
    }
  } finally {
    // An item that is still on its way is left alone: nobody waits for it.
    hasMore = false;
    // Its source is not read any more: that it cannot close properly changes nothing.
    void Promise.resolve(items.return?.()).catch(() => {});
    await Promise.allSettled(begun.map(({ outcome }) => outcome));
  }
}
