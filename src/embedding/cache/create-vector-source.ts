import type { Embedder } from '../../contracts/embedder.ts';
import type { CacheEntry, VectorCache } from '../../contracts/vector-cache.ts';
import type { TextToEmbed, VectorEntry, VectorOutcome, VectorSource } from '../../contracts/vector-source.ts';
import { inPages } from './text-pages.ts';

/** Makes vectors for texts in calls that suit a backend; emits and bounds as `VectorSource.vectorsFor` does. */
export type MakeVectors = <Owner>(
  texts: AsyncIterable<TextToEmbed<Owner>>,
  options: { readonly signal?: AbortSignal },
) => AsyncIterable<VectorOutcome<Owner>>;

/** What a source of vectors is made of. */
export interface VectorSourceParts {
  readonly embedder: Embedder;
  /** Where vectors are remembered; without one all are made. */
  readonly cache?: VectorCache;
  readonly make: MakeVectors;
}

/** A source that makes only the vectors which the cache does not have, and keeps there what was made. */
export function createVectorSource({ embedder, cache, make }: VectorSourceParts): VectorSource {
  return {
    embedder,
    get problem() {
      return cache?.problem;
    },
    vectorsFor<Owner>(
      texts: AsyncIterable<TextToEmbed<Owner>>,
      options: { readonly signal?: AbortSignal } = {},
    ) {
      if (!cache) return make(texts, options);
      return new CachedVectors<Owner>({ embedder, cache, make }, options.signal).outcomes(texts);
    },
  };
}

/** Vectors that are written together. */
const entriesPerWrite = 256;
/** Milliseconds after which made vectors are written even if they are few: they may have been expensive. */
const maxUnsaved = 1_000;
/** Texts that may wait for the vector of an equal one; more of them are made on their own. */
const maxEqual = 4_096;

/** A text that the model works on, with all that wait for its vector. */
interface Request<Owner> {
  readonly text: string;
  readonly owners: Owner[];
}

/** The vectors of a stream of texts: remembered ones at once, the others from the model, which are then remembered. */
class CachedVectors<Owner> {
  readonly #parts: Required<VectorSourceParts>;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  readonly #requests = new Map<string, Request<Owner>>();
  /** Remembered vectors of one page, on their way to the reader. */
  #found: readonly VectorEntry<Owner>[] | undefined;
  #wake = (): void => {};
  #foundIsTaken = Promise.withResolvers<void>();
  #unsaved: CacheEntry[] = [];
  #savedAt = performance.now();

  constructor(parts: Required<VectorSourceParts>, signal: AbortSignal | undefined) {
    this.#parts = parts;
    this.#signal = signal ? AbortSignal.any([signal, this.#left.signal]) : this.#left.signal;
  }

  /** Two streams in one: pages that the cache knew, and what the model makes of the rest. */
  async *outcomes(texts: AsyncIterable<TextToEmbed<Owner>>): AsyncGenerator<VectorOutcome<Owner>, void> {
    const { make } = this.#parts;
    const made = make(this.#missing(texts), { signal: this.#signal })[Symbol.asyncIterator]();
    let next: Promise<IteratorResult<VectorOutcome<Request<Owner>>>> | undefined;
    let isThere = false;
    const arrive = (): void => {
      isThere = true;
      this.#wake();
    };
    try {
      for (;;) {
        if (!next) {
          isThere = false;
          next = made.next();
          next.then(arrive, arrive);
        }
        // No race of promises: one that stays open holds on to whatever won against it, here to all vectors of a run.
        if (!this.#found && !isThere) await this.#untilWoken();
        const entries = this.#found;
        if (entries) {
          this.#found = undefined;
          this.#foundIsTaken.resolve();
          yield { kind: 'vectors', from: 'cache', entries };
          continue;
        }
        const step = await next;
        next = undefined;
        if (step.done) return;
        this.#remember(step.value);
        if (this.#isTimeToSave()) await this.#save();
        yield* this.#delivered(step.value);
      }
    } finally {
      // A reader that leaves stops the work; what was made by then is kept.
      this.#left.abort();
      this.#foundIsTaken.resolve();
      // It was stopped just now.
      const last = await next?.catch(() => undefined);
      if (last && !last.done) this.#remember(last.value);
      await made.return?.();
      await this.#save();
    }
  }

  /** The texts that the cache does not know. Reads on only when the vectors it knew have been taken. */
  async *#missing(texts: AsyncIterable<TextToEmbed<Owner>>): AsyncGenerator<TextToEmbed<Request<Owner>>> {
    for await (const page of inPages(texts, this.#signal)) {
      const vectors = await this.#lookUp(page);
      const found = page.flatMap(({ owner }, at) => (vectors[at] ? [{ owner, vector: vectors[at] }] : []));
      if (found.length > 0) await this.#hand(found);
      for (const [at, { text, owner }] of page.entries()) {
        const request = vectors[at] ? undefined : this.#request(text, owner);
        if (request) yield { text, owner: request };
      }
    }
  }

  async #lookUp(page: readonly TextToEmbed<Owner>[]): Promise<(Float32Array | undefined)[]> {
    const { fingerprint, dimensions } = this.#parts.embedder;
    const found = await this.#parts.cache.get(
      fingerprint,
      page.map(({ text }) => text),
    );
    return found.map((vector) => (vector?.length === (dimensions ?? vector?.length) ? vector : undefined));
  }

  async #hand(found: readonly VectorEntry<Owner>[]): Promise<void> {
    if (this.#left.signal.aborted) return;
    this.#foundIsTaken = Promise.withResolvers();
    this.#found = found;
    this.#wake();
    await this.#foundIsTaken.promise;
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** What to ask of the model for a text; nothing where an equal one is being made already. */
  #request(text: string, owner: Owner): Request<Owner> | undefined {
    const equal = this.#requests.get(text);
    if (equal && equal.owners.length < maxEqual) {
      equal.owners.push(owner);
      return undefined;
    }
    const request = { text, owners: [owner] };
    this.#requests.set(text, request);
    return request;
  }

  /** An outcome for everyone that waited for it; equal texts that come later are asked for again. */
  *#delivered(outcome: VectorOutcome<Request<Owner>>): Generator<VectorOutcome<Owner>> {
    const ownersOf = (request: Request<Owner>): readonly Owner[] => {
      if (this.#requests.get(request.text) === request) this.#requests.delete(request.text);
      return request.owners;
    };
    if (outcome.kind === 'refused') {
      for (const owner of ownersOf(outcome.owner)) yield { ...outcome, owner };
      return;
    }
    const entries = outcome.entries.flatMap((entry) =>
      ownersOf(entry.owner).map((owner) => ({ ...entry, owner })),
    );
    yield { ...outcome, entries };
  }

  #remember(outcome: VectorOutcome<Request<Owner>>): void {
    if (outcome.kind === 'refused') return;
    for (const { owner: request, ...made } of outcome.entries) {
      this.#unsaved.push({ text: request.text, ...made });
    }
  }

  #isTimeToSave(): boolean {
    return this.#unsaved.length >= entriesPerWrite || performance.now() - this.#savedAt >= maxUnsaved;
  }

  async #save(): Promise<void> {
    const entries = this.#unsaved;
    this.#unsaved = [];
    this.#savedAt = performance.now();
    if (entries.length > 0) await this.#parts.cache.put(this.#parts.embedder.fingerprint, entries);
  }
}
