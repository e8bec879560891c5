import type { Embedder } from '../../contracts/embedder.ts';
import type { CacheEntry, VectorCache } from '../../contracts/vector-cache.ts';
import type { TextToEmbed, VectorOutcome } from '../../contracts/vector-source.ts';
import { Handover } from './handover.ts';
import { readInPages } from './read-in-pages.ts';

/** Makes vectors for texts in calls that suit a backend; told and bounded as `VectorSource.vectorsFor` is. */
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

/** Texts that are looked up together, and how long the first of them waits for the others. */
const lookup = { items: 256, milliseconds: 10 };
/** Vectors that are written together. */
const entriesPerWrite = 256;
/** Milliseconds after which made vectors are written even if they are few: they may have been dear. */
const longestUnsaved = 1_000;
/** Outcomes that may wait for the one who asked. */
const untoldOutcomes = 2;
/** Texts that may wait for the vector of an equal one on its way; more of them are made on their own. */
const mostGuests = 4_096;

/** A text on its way through the model, with all that wait for its vector. */
interface Request<Owner> {
  readonly text: string;
  readonly owners: Owner[];
}

/** One stream of texts on its way: what is remembered is told at once, the rest goes through the model. */
export class CachedRun<Owner> {
  readonly #parts: Required<VectorSourceParts>;
  readonly #signal: AbortSignal;
  readonly #told = new Handover<VectorOutcome<Owner>>(untoldOutcomes);
  readonly #onTheWay = new Map<string, Request<Owner>>();
  #guests = 0;
  #unsaved: CacheEntry[] = [];
  #savedAt = performance.now();

  constructor(parts: Required<VectorSourceParts>, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** What became of the texts, as it comes. */
  outcomes(): AsyncIterable<VectorOutcome<Owner>> {
    return this.#told.items();
  }

  /** Nobody listens any more. */
  dismiss(): void {
    this.#told.close();
  }

  /** Works through the texts; never rejects, for the outcomes end with what went wrong. */
  async start(texts: AsyncIterable<TextToEmbed<Owner>>): Promise<void> {
    let failure: { readonly thrown: unknown } | undefined;
    try {
      for await (const outcome of this.#parts.make(this.#misses(texts), { signal: this.#signal })) {
        if (!(await this.#tell(outcome))) break;
        if (this.#isTimeToSave()) await this.#save();
      }
    } catch (thrown) {
      failure = { thrown };
    }
    await this.#save();
    this.#told.close(failure);
  }

  /** Tells the vectors that are remembered and passes on the texts of the others. */
  async *#misses(texts: AsyncIterable<TextToEmbed<Owner>>): AsyncGenerator<TextToEmbed<Request<Owner>>> {
    for await (const page of readInPages(texts, { ...lookup, signal: this.#signal })) {
      const found = await this.#lookUp(page.map(({ text }) => text));
      const entries: { owner: Owner; vector: Float32Array }[] = [];
      const missing: TextToEmbed<Owner>[] = [];
      for (const [index, item] of page.entries()) {
        const vector = found[index];
        if (vector) entries.push({ owner: item.owner, vector });
        else missing.push(item);
      }
      if (entries.length > 0 && !(await this.#told.give({ kind: 'vectors', from: 'cache', entries }))) return;
      for (const { text, owner } of missing) {
        const request = this.#request(text, owner);
        if (request) yield { text, owner: request };
      }
    }
  }

  async #lookUp(texts: readonly string[]): Promise<(Float32Array | undefined)[]> {
    const { fingerprint, dimensions } = this.#parts.embedder;
    const found = await this.#parts.cache.get(fingerprint, texts);
    return found.map((vector) => (vector?.length === (dimensions ?? vector?.length) ? vector : undefined));
  }

  /** What to ask of the model for a text; nothing where an equal one is on its way already. */
  #request(text: string, owner: Owner): Request<Owner> | undefined {
    const twin = this.#onTheWay.get(text);
    if (twin && this.#guests < mostGuests) {
      twin.owners.push(owner);
      this.#guests += 1;
      return undefined;
    }
    const request = { text, owners: [owner] };
    if (!twin) this.#onTheWay.set(text, request);
    return request;
  }

  async #tell(outcome: VectorOutcome<Request<Owner>>): Promise<boolean> {
    if (outcome.kind === 'refused') {
      for (const owner of this.#arrived(outcome.owner)) {
        if (!(await this.#told.give({ ...outcome, owner }))) return false;
      }
      return true;
    }
    const entries = outcome.entries.flatMap(({ owner: request, vector }) => {
      this.#unsaved.push({ text: request.text, vector });
      return this.#arrived(request).map((owner) => ({ owner, vector }));
    });
    return this.#told.give({ ...outcome, entries });
  }

  /** Everyone who waited for a text; who comes later asks anew. */
  #arrived(request: Request<Owner>): readonly Owner[] {
    if (this.#onTheWay.get(request.text) === request) this.#onTheWay.delete(request.text);
    this.#guests -= request.owners.length - 1;
    return request.owners;
  }

  #isTimeToSave(): boolean {
    return this.#unsaved.length >= entriesPerWrite || performance.now() - this.#savedAt >= longestUnsaved;
  }

  async #save(): Promise<void> {
    const entries = this.#unsaved;
    this.#unsaved = [];
    this.#savedAt = performance.now();
    if (entries.length > 0) await this.#parts.cache.put(this.#parts.embedder.fingerprint, entries);
  }
}
