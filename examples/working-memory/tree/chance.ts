/** A source of repeatable choices: the same seed makes the same tree. */
export interface Chance {
  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Mulberry32: small, fast, and good enough to choose among sentences. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const number = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    number,
    pick: (items) => items[number(0, items.length - 1)] as (typeof items)[number],
    shuffled: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((one, other) => one.at - other.at)
        .map(({ item }) => item),
  };
}
