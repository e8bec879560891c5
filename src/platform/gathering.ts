/** When those who wait go on: together they weigh this much, or the first of them has waited this long. */
export interface GatheringBounds {
  readonly max: number;
  readonly milliseconds: number;
}

/** Lets those who come within moments of each other go on in the same turn of the process. */
export class Gathering {
  readonly #bounds: GatheringBounds;
  #waiting: { readonly all: PromiseWithResolvers<void>; readonly timer: NodeJS.Timeout } | undefined;
  #weight = 0;

  constructor(bounds: GatheringBounds) {
    this.#bounds = bounds;
  }

  /** Resolves when it is time to go on. */
  join(weight: number): Promise<void> {
    const { max, milliseconds } = this.#bounds;
    this.#waiting ??= { all: Promise.withResolvers(), timer: setTimeout(() => this.goOn(), milliseconds) };
    const { promise } = this.#waiting.all;
    this.#weight += weight;
    if (this.#weight >= max) this.goOn();
    return promise;
  }

  /** Lets those go on who wait, such as when nobody else can come. */
  goOn(): void {
    clearTimeout(this.#waiting?.timer);
    this.#waiting?.all.resolve();
    this.#waiting = undefined;
    this.#weight = 0;
  }
}
