import type { Embedder } from '../../contracts/embedder.ts';
import type { VectorOutcome } from '../../contracts/vector-source.ts';
import { asQuarryError, type ErrorCode, type QuarryError } from '../../core/errors.ts';
import type { BatchSupply } from './batch-supply.ts';
import { Bell } from './bell.ts';
import type { CallLimits } from './call-limits.ts';
import type { CallMeter, Lap } from './call-meter.ts';
import { checkVectors } from './check-vectors.ts';
import type { MeasuredText } from './measured-text.ts';
import type { BackendPace } from './pace.ts';
import type { Batch } from './split-queue.ts';

/** Share of the allowed calls that must have been in flight for a call to show what the backend can do. */
const crowdToMeasure = 0.75;

/** What a call can fail with that is about its texts and not about the backend. */
const blamesTexts: ReadonlySet<ErrorCode> = new Set(['embedding-too-large', 'embedding-failed']);

/** Something to tell, and what leaves the window with it. */
export interface Made<Owner> {
  readonly outcome: VectorOutcome<Owner>;
  readonly texts: number;
  readonly bytes: number;
}

/** What calls are made with. */
export interface BatchCallsParts {
  readonly embedder: Embedder;
  readonly limits: CallLimits;
  readonly pace: BackendPace;
  readonly meter: CallMeter;
  readonly stop: AbortController;
}

/** Keeps as many calls in flight as the backend allows, until every text has its outcome or the backend cannot go on. */
export class BatchCalls<Owner> {
  readonly #parts: BatchCallsParts;
  readonly #supply: BatchSupply<Owner>;
  readonly #bell = new Bell();
  #made: Made<Owner>[] = [];
  /** Calls whose vectors nobody has taken yet. */
  #untold = 0;
  #isAlone = false;
  /** Why no more calls are made. */
  failure: QuarryError | undefined;

  constructor(parts: BatchCallsParts, supply: BatchSupply<Owner>) {
    this.#parts = parts;
    this.#supply = supply;
  }

  get inFlight(): number {
    return this.#parts.meter.inFlight;
  }

  /** Whether nothing more will be made. */
  get isDone(): boolean {
    return this.inFlight === 0 && (this.failure !== undefined || this.#supply.isExhausted);
  }

  /** Resolves when something was made, ended or failed since the last time. */
  changed(): Promise<void> {
    return this.#bell.heard();
  }

  /** What was made since the last time. */
  takeMade(): Made<Owner>[] {
    const made = this.#made;
    this.#made = [];
    return made;
  }

  /** Someone has been told of it: its room is free for others. */
  told({ outcome, texts, bytes }: Made<Owner>): void {
    if (outcome.kind === 'vectors') this.#untold -= 1;
    this.#supply.release(texts, bytes);
    this.advance();
  }

  /** Makes no more calls and ends those in flight; the first reason is the one that counts. */
  stop(why: QuarryError): void {
    if (this.failure) return;
    this.failure = why;
    this.#parts.stop.abort(why);
    this.#bell.ring();
  }

  /** Starts what can be started; to be called whenever something has changed. */
  advance(): void {
    const { concurrency } = this.#parts.limits;
    if (this.#supply.failure) this.stop(this.#supply.failure);
    // Vectors that nobody takes are memory: whoever takes them slowly holds the calls back.
    while (!this.failure && !this.#isAlone && this.inFlight < concurrency && this.#untold <= concurrency) {
      const batch = this.#supply.next(this.inFlight);
      if (!batch) break;
      void this.#call(batch);
    }
    if (this.isDone) this.#bell.ring();
  }

  async #call(batch: Batch<Owner>): Promise<void> {
    const { embedder, meter, pace, stop } = this.#parts;
    this.#isAlone = batch.isAlone === true;
    const lap = meter.begin(batch.usefulTokens, pace.budget.moves);
    try {
      await this.#turn();
      const texts = batch.items.map(({ text }) => text);
      const vectors = await embedder.embed(texts, { as: 'chunk', signal: stop.signal });
      checkVectors(vectors, { texts: texts.length, dimensions: embedder.dimensions });
      this.#keep(batch, vectors, lap);
    } catch (thrown) {
      this.#setAside(batch, asQuarryError(thrown), lap);
    }
    this.#isAlone = false;
    this.advance();
    this.#bell.ring();
  }

  async #turn(): Promise<void> {
    const { limits, pace, stop } = this.#parts;
    if (limits.callsPerMinute) await pace.rateLimit.turn(limits.callsPerMinute, stop.signal);
  }

  #keep(batch: Batch<Owner>, vectors: readonly Float32Array[], lap: Lap): void {
    const { meter, limits, pace } = this.#parts;
    const { crowd, rate } = meter.end(lap);
    const isBusy = crowd >= limits.concurrency * crowdToMeasure;
    pace.budget.succeeded(batch.tokens, isBusy ? rate : undefined);
    const entries: { owner: Owner; vector: Float32Array }[] = [];
    for (const [at, { owner }] of batch.items.entries()) {
      entries.push({ owner, vector: vectors[at] as Float32Array });
    }
    this.#untold += 1;
    const outcome = { kind: 'vectors', from: 'model', entries } as const;
    this.#made.push({ outcome, texts: entries.length, bytes: batch.bytes });
  }

  /** A batch that failed: its texts go back in smaller batches, or its one text is refused, or all is over. */
  #setAside(batch: Batch<Owner>, error: QuarryError, lap: Lap): void {
    const { meter } = this.#parts;
    const { crowd } = meter.end(lap);
    if (this.failure) return;
    const isSharing = crowd > 1 || meter.inFlight > 0;
    const isSplit =
      error.code === 'embedding-too-large'
        ? this.#supply.halve(batch, isSharing)
        : error.code === 'embedding-failed' && this.#supply.bisect(batch);
    if (isSplit) return;
    if (!blamesTexts.has(error.code)) this.stop(error);
    else for (const item of batch.items) this.#refuse(item, error);
  }

  #refuse({ owner, bytes }: MeasuredText<Owner>, error: QuarryError): void {
    this.#made.push({ outcome: { kind: 'refused', owner, error }, texts: 1, bytes });
  }
}
