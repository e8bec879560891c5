import type { ChunkSketches } from '../../contracts/chunk-sketches.ts';
import type { DriverContext } from '../../contracts/driver.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { IndexState, Store } from '../../contracts/store.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { VectorSource } from '../../contracts/vector-source.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { createLaterSketches, type LaterSketches } from '../../embedding/later-sketches.ts';
import { once } from '../../platform/once.ts';
import type { TextVectors } from '../../retrieval/gather/embed-candidates.ts';
import type { Settings } from '../../settings/settings.ts';
import { createOpenedEmbedders } from './opened-embedders.ts';
import { isCovered, previousEmbedder, rememberEmbedder } from './previous-embedder.ts';

/** How often and how long a question asks a failing backend again: a run can wait, a question cannot. */
const retries = { attempts: 2, patience: 5_000 };

/** Milliseconds that a question waits for a server; text search answers then. */
const questionDeadline = 15_000;

/** The embedders of a project: the one in use, those kept with it, and the fallback when one fails. */
export interface ProjectEmbedders {
  /** The embedder of this name for questions; without one the embedder in use. */
  forQueries(name?: string): Promise<Embedder>;
  /**
   * The embedder that questions go to in this index: the one in use, or while its vectors are being made the one
   * whose vectors are complete.
   */
  answering(state: IndexState): Promise<Embedder>;
  /** Whether a question has no model to wait for: none has to be loaded or asked elsewhere. */
  isReady(): Promise<boolean>;
  /** Prepares the first answer to a question that is about to be asked; no model is loaded for it. */
  warm(question: string): Promise<void>;
  /** The vector space of the embedder in use; undefined where it cannot be opened now. */
  space(): Promise<string | undefined>;
  /** The vector spaces of every embedder that is kept up to date; undefined where one cannot be opened now. */
  spaces(): Promise<readonly string[] | undefined>;
  /** Notes whose vectors are complete in this index. */
  remember(store: Store, state: IndexState): Promise<void>;
  /** What answers questions while the one in use fails, where the project names one. */
  fallback(): Promise<Embedder | undefined>;
  /** Makes vectors of single chunks for the embedder in use; undefined where it is a server. */
  chunkVectors(): Promise<TextVectors | undefined>;
  /** Makes vectors of a look-up, which say roughly what a text is about. */
  roughVectors(): Promise<Embedder>;
  /** Sketches of chunks by the embedder in use, for queries that wait for missing ones or do not; undefined where it makes none. */
  sketches(options: { readonly wait: boolean }): Promise<ChunkSketches | undefined>;
  /** Why sketches that were made after an answer could not be kept; only the first call after it happened gets it. */
  takeLoss(): QuarryError | undefined;
  /** Vectors of every embedder that is kept up to date, the one in use first. */
  readonly sources: readonly (() => Promise<VectorSource>)[];
  /** The shared cache of vectors, or undefined where it is turned off. */
  cache(): Promise<VectorCache | undefined>;
  close(): Promise<void>;
}

/** The table of the package, the same for every project of a process. */
const roughVectors = once(async (): Promise<Embedder> => {
  const { createStaticEmbedder } = await import('../../drivers/embedders/static/driver.ts');
  return createStaticEmbedder();
});

/**
 * Opens nothing yet: each embedder is opened when it is first asked for, and shared from then on. After `close` the next
 * call opens again.
 */
export function createEmbedders(
  settings: Settings,
  context: () => Promise<DriverContext>,
  cautiousContext: () => Promise<DriverContext>,
): ProjectEmbedders {
  const create = () => createOpenedEmbedders({ settings, context, cautiousContext });
  // Replaced as a whole when it is closed: nothing that is opened later can be built from a closed part.
  let opened = create();
  let later: LaterSketches | undefined;
  let loss: QuarryError | undefined;
  let lossOf: VectorCache | undefined;
  const names = [undefined, ...Object.keys(settings.embedders)];

  const forQueries = async (name?: string): Promise<Embedder> => {
    const { retrying } = await import('../../embedding/retrying.ts');
    const { withDeadline } = await import('../../embedding/with-deadline.ts');
    const embedder = retrying(await opened.embedder(name), retries);
    return embedder.facts.address === undefined ? embedder : withDeadline(embedder, questionDeadline);
  };
  const space = (): Promise<string | undefined> =>
    opened.embedder().then(
      ({ fingerprint }) => fingerprint,
      // Who embeds with it hears why it cannot be opened.
      () => undefined,
    );

  const isReady = (): Promise<boolean> =>
    opened.embedder().then(
      ({ facts, load, isLoaded }) => facts.address === undefined && (load === undefined || isLoaded === true),
      // Who embeds with it hears why it cannot be opened.
      () => false,
    );

  const answering = async (state: IndexState): Promise<Embedder> => {
    const wanted = await forQueries().catch(asQuarryError);
    const previous = previousEmbedder(state);
    if (!(wanted instanceof QuarryError) && (!previous || previous.space === wanted.fingerprint))
      return wanted;
    const isReady = wanted instanceof QuarryError ? false : isCovered(state, wanted.fingerprint);
    const standsBeside = previous && state.spaces.has(previous.space);
    if (!isReady && standsBeside) {
      // Then the wanted one answers, or says why it cannot.
      const embedder = await opened.previous(previous.embedder).catch(() => undefined);
      if (embedder?.fingerprint === previous.space) return embedder;
    }
    if (wanted instanceof QuarryError) throw wanted;
    return wanted;
  };

  return {
    sources: names.map((name) => () => opened.source(name)),
    cache: () => opened.cache(),
    fallback: async () =>
      settings.embedder.fallback === undefined ? undefined : opened.embedder(settings.embedder.fallback),
    async chunkVectors() {
      const source = await opened.source(undefined);
      return source.embedder.facts.address === undefined ? textVectors(source) : undefined;
    },
    roughVectors,
    async sketches({ wait }) {
      const cache = await opened.cache();
      const sketches = chunkSketches(await opened.embedder(), cache);
      if (!sketches) return undefined;
      const { kept, make } = sketches;
      if (wait) return { kept, make: async (text, signal) => (await make(text, signal)).sketch };
      later ??= createLaterSketches(async (text, signal) => {
        const { isKept } = await make(text, signal);
        if (!isKept && lossOf !== cache) [loss, lossOf] = [cache?.problem, cache];
        return isKept;
      });
      return { kept, later: later.want };
    },
    takeLoss() {
      const taken = loss;
      loss = undefined;
      return taken;
    },
    forQueries,
    isReady,
    async warm(question) {
      await (await roughVectors()).load?.();
      if (await isReady()) await (await opened.embedder()).embed([question], { as: 'query' });
    },
    space,
    spaces: () =>
      Promise.all(names.map((name) => opened.embedder(name))).then(
        (embedders) => embedders.map(({ fingerprint }) => fingerprint),
        // Who embeds with them hears why one cannot be opened.
        () => undefined,
      ),
    answering,
    async remember(store, state) {
      const { fallback: _, ...inUse } = settings.embedder;
      const current = await space();
      if (current !== undefined && isCovered(state, current))
        await rememberEmbedder(store, state, { space: current, embedder: inUse });
    },
    async close() {
      const [closing, working] = [opened, later];
      opened = create();
      later = undefined;
      await working?.close();
      await closing.close();
    },
  };
}

/** One text at a time: a query takes what is ready when its time is over. What is made is kept in the shared cache. */
function textVectors(source: VectorSource): TextVectors {
  const { embedder } = source;
  return {
    space: embedder.fingerprint,
    concurrency: embedder.limits.concurrency,
    async vectorOf(text, signal) {
      const one = async function* () {
        yield { text, owner: undefined };
      };
      for await (const outcome of source.vectorsFor(one(), { signal }))
        if (outcome.kind === 'vectors') return outcome.entries[0]?.vector;
      return undefined;
    },
  };
}

/** Sketches are kept with the vectors of the same texts; without a cache each is made when it is needed. */
function chunkSketches(embedder: Embedder, cache: VectorCache | undefined) {
  const embed = embedder.embedWithSketches?.bind(embedder);
  if (!embed) return undefined;
  const { fingerprint } = embedder;
  const kept: ChunkSketches['kept'] = async (texts) => (await cache?.sketches(fingerprint, texts)) ?? [];
  const make = async (text: string, signal: AbortSignal) => {
    const { vectors, sketches } = await embed([text], { as: 'chunk', signal });
    const [vector = new Float32Array()] = vectors;
    const [sketch = new Uint8Array()] = sketches;
    const isKept = (await cache?.put(fingerprint, [{ text, vector, sketch }])) ?? false;
    return { sketch, isKept };
  };
  return { kept, make };
}

/** The error for a question that asks for vectors which the index does not have. */
export function noVectors(name: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The index has no vectors of the embedder "${name}".`,
    `Add [embedders.${name}] to quarry.toml, then run: quarry index`,
  );
}
