import type { Embedder, SketchedVectors } from '../../contracts/embedder.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { asQuarryError, type QuarryError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Batch, BatchPlan, batchOf, halvesOf } from './batch-plan.ts';
import { type CallLimits, callLimitsOf, type ReadAheadWindow } from './call-limits.ts';
import { checkVectors } from './check-vectors.ts';
import { type Measure, measureFor } from './measured-text.ts';
import type { Throughput } from './throughput.ts';

/** Milliseconds that an idle backend waits for a slow source before it starts with less than a full batch. */
const linger = 25;

/** Batches to have read for every call in flight before texts are sorted and cut, where the size of calls matters. */
const batchesToSort = 8;

/** Bytes of text after which the rest of the process gets its turn: measuring them is work that nothing interrupts. */
const bytesPerYield = 64 * 1024;
const textsPerYield = 1024;

/** What a run works with. */
export interface EmbedRunParts<Owner> {
  /** Loaded: only then are its limits known for sure. */
  readonly embedder: Embedder;
  readonly texts: AsyncIterator<TextToEmbed<Owner>>;
  readonly clock: Clock;
  readonly throughput: Throughput;
  readonly window: Partial<ReadAheadWindow>;
}

/** An outcome that nobody has taken yet, and what leaves the window with it. */
interface Made<Owner> {
  readonly outcome: VectorOutcome<Owner>;
  readonly texts: number;
  readonly bytes: number;
}

/** Reads texts ahead and keeps as many calls in flight as the backend allows, until every text has its outcome. */
export class EmbedRun<Owner> {
  readonly #parts: EmbedRunParts<Owner>;
  readonly #limits: CallLimits;
  readonly #measure: Measure;
  readonly #stop = new AbortController();
  readonly #plan = new BatchPlan<Owner>();
  /** Halves of calls that failed, oldest first. */
  readonly #parted: Batch<Owner>[] = [];
  /** Texts that were too large beside other calls; each is tried once more without them. */
  readonly #alone: Batch<Owner>[] = [];
  readonly #made: Made<Owner>[] = [];
  /** Vectors of calls that nobody has taken yet. */
  #untaken = 0;
  #held = { texts: 0, bytes: 0 };
  #inFlight = 0;
  #isAlone = false;
  #isReading = false;
  #hasRead = false;
  /** The wait for more texts, since the last batch was sent. */
  #lingering: Promise<void> | undefined;
  #hasLingered = false;
  #failure: QuarryError | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(parts: EmbedRunParts<Owner>) {
    this.#parts = parts;
    const { embedder, throughput, window } = parts;
    this.#limits = callLimitsOf(embedder, window);
    this.#measure = measureFor(embedder);
    const { tokens, gainsFromSize, concurrency } = this.#limits;
    throughput.size.aim({ limit: tokens, searches: gainsFromSize, concurrency });
  }

  /** What became of the texts, as it comes; throws why the run cannot continue. */
  async *outcomes(first: TextToEmbed<Owner>): AsyncGenerator<VectorOutcome<Owner>, void, undefined> {
    void this.#read(first);
    for (;;) {
      const made = this.#made.shift();
      if (made) {
        yield made.outcome;
        this.#release(made);
      } else if (this.#isDone) {
        if (this.#failure) throw this.#failure;
        return;
      } else {
        await this.#changed.promise;
      }
    }
  }

  /** Makes no more calls and ends those in flight; the first reason is the one that counts. */
  stop(why: QuarryError): void {
    if (this.#failure) return;
    this.#failure = why;
    this.#stop.abort(why);
    this.#change();
  }

  /** Lets the source go and waits for the calls in flight; a source that is stuck in a read is not waited for. */
  async end(): Promise<void> {
    if (!this.#hasRead) {
      // Nobody reads this source any more: that it cannot close properly changes nothing for the texts.
      const closed = Promise.resolve(this.#parts.texts.return?.()).catch(() => {});
      if (!this.#isReading) await closed;
    }
    while (this.#inFlight > 0) await this.#changed.promise;
  }

  get #isDone(): boolean {
    if (this.#inFlight > 0) return false;
    const isEmpty = this.#plan.isEmpty && this.#parted.length + this.#alone.length === 0;
    return this.#failure !== undefined || (this.#hasRead && isEmpty);
  }

  get #isFull(): boolean {
    const { window } = this.#limits;
    return this.#held.texts >= window.texts || this.#held.bytes >= window.bytes;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  async #read(first: TextToEmbed<Owner>): Promise<void> {
    const { texts, clock } = this.#parts;
    let left = bytesPerYield;
    try {
      for (let next: IteratorResult<TextToEmbed<Owner>> = { value: first }; !next.done; ) {
        left -= this.#add(next.value) + bytesPerYield / textsPerYield;
        if (left <= 0) {
          left = bytesPerYield;
          await clock.wait(0);
        }
        this.#advance();
        while (this.#isFull && !this.#failure) await this.#changed.promise;
        if (this.#failure) return;
        this.#isReading = true;
        next = await texts.next();
        this.#isReading = false;
        if (this.#failure) return;
      }
      this.#hasRead = true;
    } catch (thrown) {
      this.#hasRead = true;
      this.stop(asQuarryError(thrown));
    }
    this.#advance();
  }

  #add(given: TextToEmbed<Owner>): number {
    const text = this.#measure(given);
    this.#plan.add(text);
    this.#held.texts += 1;
    this.#held.bytes += text.bytes;
    return text.bytes;
  }

  #release({ outcome, texts, bytes }: Made<Owner>): void {
    if (outcome.kind === 'vectors') this.#untaken -= 1;
    this.#held.texts -= texts;
    this.#held.bytes -= bytes;
    this.#advance();
  }

  /** Starts what can be started; to be called whenever something has changed. */
  #advance(): void {
    const { concurrency } = this.#limits;
    // Vectors that nobody takes are memory: a caller that takes them slowly holds the calls back.
    while (!this.#failure && !this.#isAlone && this.#inFlight < concurrency && this.#untaken <= concurrency) {
      const batch = this.#next();
      if (!batch) break;
      void this.#call(batch);
    }
    this.#change();
  }

  /** The next batch, or undefined when it is better to wait: for more texts, or for the calls in flight to end. */
  #next(): Batch<Owner> | undefined {
    if (this.#alone.length > 0) return this.#inFlight > 0 ? undefined : this.#alone.shift();
    const bounds = { ...this.#limits, tokens: this.#parts.throughput.size.tokens };
    const batch = this.#parted.shift() ?? this.#plan.next(bounds, () => this.#hasEnough);
    if (batch) {
      this.#lingering = undefined;
      this.#hasLingered = false;
    } else if (!this.#plan.isEmpty) {
      this.#waitForMore();
    }
    return batch;
  }

  /** Whether what has been read should be cut now, rather than together with what comes next. */
  get #hasEnough(): boolean {
    if (this.#hasRead || this.#isFull || this.#hasLingered) return true;
    const { concurrency, gainsFromSize, window } = this.#limits;
    const bounds = { ...this.#limits, tokens: this.#parts.throughput.size.tokens };
    const quarter = { texts: window.texts / 4, bytes: window.bytes / 4, tokens: Number.POSITIVE_INFINITY };
    if (this.#plan.looseBatches(quarter) >= 1) return true;
    return this.#plan.looseBatches(bounds) >= (gainsFromSize ? batchesToSort * concurrency : 1);
  }

  /** Sends less than a full batch where the source has given nothing more for a while. */
  #waitForMore(): void {
    const { clock } = this.#parts;
    if (this.#lingering) return;
    const wait = clock.wait(linger, this.#stop.signal);
    this.#lingering = wait;
    const lookAgain = (): void => {
      if (this.#lingering !== wait) return;
      this.#hasLingered = true;
      this.#advance();
    };
    // The wait fails only when everything is stopped, and then nobody looks again.
    wait.then(lookAgain, () => {});
  }

  async #call(batch: Batch<Owner>): Promise<void> {
    const { embedder, clock, throughput } = this.#parts;
    const { concurrency, callsPerMinute } = this.#limits;
    const { signal } = this.#stop;
    this.#inFlight += 1;
    this.#isAlone = batch.isAlone === true;
    const sizeBefore = throughput.size.tokens;
    let isBusy = this.#inFlight === concurrency;
    try {
      if (callsPerMinute) await throughput.rateLimit.turn(callsPerMinute, signal);
      const at = clock.now();
      const texts = batch.items.map(({ text }) => text);
      const made = await this.#embed(texts);
      checkVectors(made.vectors, { texts: texts.length, dimensions: embedder.dimensions });
      // Only a call that ran beside as many others as are allowed, all of its size, shows what the backend can do.
      isBusy &&= this.#inFlight === concurrency && throughput.size.tokens === sizeBefore && !batch.isPart;
      const time = clock.now() - at;
      throughput.size.succeeded(batch.tokens, isBusy && time > 0 ? batch.usefulTokens / time : undefined);
      this.#keep(batch, made);
    } catch (thrown) {
      this.#setAside(batch, asQuarryError(thrown));
    }
    this.#inFlight -= 1;
    this.#isAlone = false;
    this.#advance();
  }

  async #embed(texts: readonly string[]): Promise<SketchedVectors> {
    const { embedder } = this.#parts;
    const options = { as: 'chunk', signal: this.#stop.signal } as const;
    if (embedder.embedWithSketches) return embedder.embedWithSketches(texts, options);
    return { vectors: await embedder.embed(texts, options), sketches: [] };
  }

  #keep({ items, bytes }: Batch<Owner>, { vectors, sketches }: SketchedVectors): void {
    const entries = items.map(({ owner }, at) => {
      const sketch = sketches[at];
      return { owner, vector: vectors[at] as Float32Array, ...(sketch && { sketch }) };
    });
    this.#untaken += 1;
    this.#made.push({ outcome: { kind: 'vectors', from: 'model', entries }, texts: entries.length, bytes });
  }

  /** A batch that failed: its texts are sent in smaller batches, or its one text is refused, or all is over. */
  #setAside(batch: Batch<Owner>, error: QuarryError): void {
    if (this.#failure) return;
    const isTooLarge = error.code === 'embedding-too-large';
    if (!isTooLarge && error.code !== 'embedding-failed') {
      this.stop(error);
      return;
    }
    // A part of a call that failed teaches nothing of the size: one text in it may be at fault.
    if (isTooLarge && !batch.isPart && batch.items.length > 1)
      this.#parts.throughput.size.tooLarge(batch.tokens);
    const [first] = batch.items;
    if (batch.items.length > 1) this.#parted.push(...halvesOf(batch));
    else if (isTooLarge && !batch.isAlone && this.#limits.concurrency > 1)
      this.#alone.push(batchOf(batch.items, { isPart: true, isAlone: true }));
    else if (first)
      this.#made.push({
        outcome: { kind: 'refused', owner: first.owner, error },
        texts: 1,
        bytes: first.bytes,
      });
  }
}
