/** Wakes the one who waits for a change; a ring that nobody waits for is kept for the next wait. */
export class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake) wake();
    else this.#hasRung = true;
  }

  /** Resolves at the next ring, or at once when one was missed. */
  heard(): Promise<void> {
    if (this.#hasRung) {
      this.#hasRung = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
