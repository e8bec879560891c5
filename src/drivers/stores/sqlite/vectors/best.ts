/** Keeps the best of many scored entries in a heap whose root is the worst one kept. */
export class BestEntries {
  readonly #limit: number;
  readonly #scores: number[] = [];
  readonly #entries: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The score an entry must pass to be kept; minus infinity while there is room. */
  get threshold(): number {
    return this.#scores.length < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] ?? 0);
  }

  offer(entry: number, score: number): void {
    if (this.#scores.length < this.#limit) {
      this.#rise(this.#scores.length, entry, score);
    } else if (score > this.threshold) {
      this.#sink(entry, score);
    }
  }

  /** What was kept, best first; equal scores stand in the order of their entries. */
  sorted(): { entry: number; score: number }[] {
    return this.#entries
      .map((entry, index) => ({ entry, score: this.#scores[index] ?? 0 }))
      .sort((one, other) => other.score - one.score || one.entry - other.entry);
  }

  #rise(from: number, entry: number, score: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#score(parent) <= score) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#set(place, entry, score);
  }

  #sink(entry: number, score: number): void {
    const { length } = this.#scores;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#score(child + 1) < this.#score(child)) child += 1;
      if (this.#score(child) >= score) break;
      this.#move(child, place);
      place = child;
    }
    this.#set(place, entry, score);
  }

  #score(place: number): number {
    return this.#scores[place] ?? Number.POSITIVE_INFINITY;
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#entries[from] ?? 0, this.#score(from));
  }

  #set(place: number, entry: number, score: number): void {
    this.#entries[place] = entry;
    this.#scores[place] = score;
  }
}
