/** A small table between those who make things and the one who takes them; nobody makes more than fits on it. */
export class Handover<Item> {
  readonly #room: number;
  readonly #items: Item[] = [];
  #closed = false;
  #failure: { readonly thrown: unknown } | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(room: number) {
    this.#room = room;
  }

  /** Lays an item down once there is room; false when nobody takes items any more. */
  async give(item: Item): Promise<boolean> {
    while (!this.#closed && this.#items.length >= this.#room) await this.#changed.promise;
    if (this.#closed) return false;
    this.#items.push(item);
    this.#tell();
    return true;
  }

  /** Says that no more items come. What lies on the table is still taken; then the failure, if any, is thrown. */
  close(failure?: { readonly thrown: unknown }): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#failure = failure;
    this.#tell();
  }

  /** The items in the order in which they were given. */
  async *items(): AsyncGenerator<Item, void, undefined> {
    for (;;) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#tell();
        yield item;
      } else if (this.#closed) {
        if (this.#failure) throw this.#failure.thrown;
        return;
      } else {
        await this.#changed.promise;
      }
    }
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
