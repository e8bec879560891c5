import type { IndexEvent } from '../../core/events.ts';
import type { WatchTiming } from './watch-timing.ts';

/** How long vectors are made before something else may come first. */
export type TurnTiming = Pick<WatchTiming, 'vectorTurn' | 'vectorPatience' | 'maxPatience'>;

/**
 * Says from when on the making of vectors in a pass may be interrupted. A turn makes something, and after an interruption
 * it lasts as long as the text took: however often files change, vectors have half of the time.
 */
export class VectorTurn {
  readonly #timing: TurnTiming;
  #patience: number;
  #textFrom: number | undefined;
  #began: number | undefined;
  #min = 0;
  #hasMade = false;
  #followsInterruption = false;
  /** Whether another process makes them, so that interrupting costs nothing. */
  #waits = false;

  constructor(timing: TurnTiming) {
    this.#timing = timing;
    this.#patience = timing.vectorPatience;
  }

  /** Milliseconds until it may be interrupted; infinite where no vectors are being made. */
  get left(): number {
    if (this.#waits) return 0;
    if (this.#began === undefined) return Number.POSITIVE_INFINITY;
    const length = this.#hasMade ? this.#min : Math.max(this.#min, this.#patience);
    return Math.max(0, this.#began + length - performance.now());
  }

  /** Follows a pass. */
  hear(event: IndexEvent): void {
    if (event.type === 'scan-start') {
      this.#textFrom = performance.now();
      this.#began = undefined;
      this.#hasMade = false;
    }
    if (event.type === 'model-loading') {
      this.#began ??= performance.now();
      const textTook = this.#followsInterruption ? this.#began - (this.#textFrom ?? this.#began) : 0;
      this.#min = Math.max(this.#timing.vectorTurn, textTook);
    }
    const isProgress = event.type === 'vectors-added' || event.type === 'documents-recut';
    if (isProgress && event.done > 0) {
      this.#hasMade = true;
      this.#patience = this.#timing.vectorPatience;
    }
    this.#waits = event.type === 'index-waiting' && this.#textFrom !== undefined;
  }

  /** Notes that a pass is over, and whether it was interrupted. */
  ended(wasInterrupted: boolean): void {
    // What takes longer than the patience for its first vectors must get through in the end.
    if (wasInterrupted && this.#began !== undefined && !this.#hasMade)
      this.#patience = Math.min(this.#timing.maxPatience, this.#patience * 2);
    this.#followsInterruption = wasInterrupted;
    this.#textFrom = undefined;
    this.#began = undefined;
    this.#waits = false;
  }
}
