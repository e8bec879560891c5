/** A call that waits for its turn. */
interface Waiting {
  readonly left: number;
  begin(): void;
}

/**
 * One piece of work at a time. Of the calls that wait, the one with the least left goes first, and among equals the one
 * that came first: a question has a text or two, a run that makes vectors has thousands, and nobody waits for those.
 */
export class ShortestFirst {
  readonly #waiting: Waiting[] = [];
  #isTaken = false;

  /** Does a piece of the work of a call that has so many left, when it is its turn. */
  async run<Value>(left: number, work: () => Promise<Value>): Promise<Value> {
    if (this.#isTaken) await new Promise<void>((begin) => this.#waiting.push({ left, begin }));
    this.#isTaken = true;
    try {
      return await work();
    } finally {
      this.#beginNext();
    }
  }

  #beginNext(): void {
    let next = 0;
    for (const [place, { left }] of this.#waiting.entries())
      if (left < (this.#waiting[next]?.left ?? 0)) next = place;
    const [chosen] = this.#waiting.splice(next, 1);
    // It stays taken until the next one has it, so that nobody comes between.
    if (chosen) chosen.begin();
    else this.#isTaken = false;
  }
}
