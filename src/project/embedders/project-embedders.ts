import type { DriverContext } from '../../contracts/driver.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { Store } from '../../contracts/store.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { VectorSource } from '../../contracts/vector-source.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { type Once, once } from '../../platform/once.ts';
import { resourcesOf } from '../resources.ts';
import type { EmbedderSettings } from '../settings/embedder-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { isKeyVariable, keyVariableFor, mayGetGeneralKey, originOf } from './embedder-keys.ts';
import { formerEmbedder, isCovered, rememberEmbedder } from './former-embedder.ts';
import { openUserCache } from './user-cache.ts';

/** How often and how long a failing backend is asked again: a run can wait, a question cannot. */
const retries = {
  indexing: { attempts: 6, patience: 300_000 },
  question: { attempts: 2, patience: 5_000 },
};

/** Milliseconds that a question waits for a server; text search answers then. */
const questionDeadline = 15_000;

/** The embedders of a project: the one in use, those kept beside it, and what stands in when one fails. */
export interface ProjectEmbedders {
  /** The embedder of this name for questions; without one the embedder in use. */
  forQuestions(name?: string): Promise<Embedder>;
  /**
   * The embedder that questions go to in this index: the one in use, or while its vectors are being made the one
   * whose vectors are complete.
   */
  answering(store: Store): Promise<Embedder>;
  /** The vector space of the embedder in use; undefined where it cannot be opened now. */
  space(): Promise<string | undefined>;
  /** The vector spaces of every embedder that is kept up to date; undefined where one cannot be opened now. */
  spaces(): Promise<readonly string[] | undefined>;
  /**
   * The share of an index that has vectors of the embedder its questions go to: 1 where next to nothing is missing, 0
   * where that embedder cannot be asked.
   */
  coverage(store: Store): Promise<number>;
  /** Notes whose vectors are complete in this index. */
  remember(store: Store): Promise<void>;
  /** What answers questions while the one in use fails, where the project names one. */
  fallback(): Promise<Embedder | undefined>;
  /** Vectors of every embedder that is kept up to date, the one in use first. */
  readonly sources: readonly (() => Promise<VectorSource>)[];
  /** The shared cache of vectors, or undefined where it is turned off. */
  cache(): Promise<VectorCache | undefined>;
  close(): Promise<void>;
}

/** Opens nothing yet: each embedder is opened when it is first asked for, and shared from then on. */
export function createEmbedders(
  settings: Settings,
  context: () => Promise<DriverContext>,
  cautiousContext: () => Promise<DriverContext>,
): ProjectEmbedders {
  const { fallback: fallbackName, ...inUse } = settings.embedder;
  const opened = new Map<string | undefined, Once<Embedder>>();
  const open = (name?: string): Promise<Embedder> => {
    const present =
      opened.get(name) ??
      once(() =>
        openNamed(name, withThreads(name === undefined ? inUse : named(settings, name)), () =>
          contextOf(name),
        ),
      );
    opened.set(name, present);
    return present();
  };
  const contextOf = async (name: string | undefined): Promise<DriverContext> => {
    const plain = await context();
    return name === undefined
      ? plain
      : { ...plain, keyVariable: keyVariableFor(settings, plain.environment, name) };
  };
  // A local model that says nothing of threads gets its share of the machine.
  const withThreads = (described: EmbedderSettings): EmbedderSettings =>
    described.driver === 'local' ? { threads: resourcesOf(settings).modelThreads, ...described } : described;
  const fallback = async (): Promise<Embedder | undefined> =>
    fallbackName === undefined ? undefined : open(fallbackName);
  const cache = once(async () =>
    settings.cache.max_bytes === 0 ? undefined : openUserCache((await context()).cacheFolder, settings),
  );

  const source = (name?: string) =>
    once(async (): Promise<VectorSource> => {
      const { createVectorSource } = await import('../../embedding/cache/create-vector-source.ts');
      const { embedStream } = await import('../../embedding/batching/embed-stream.ts');
      const { createBackendPace } = await import('../../embedding/batching/pace.ts');
      const { retrying } = await import('../../embedding/retrying.ts');
      const { inPlaceOf, isBackendFailure, withFallback } = await import('../../embedding/with-fallback.ts');
      const first = await open(name).catch(asQuarryError);
      const standIn = name === undefined && fallbackName !== undefined ? () => open(fallbackName) : undefined;
      if (first instanceof QuarryError && !(standIn && isBackendFailure(first))) throw first;
      const embedder =
        first instanceof QuarryError
          ? await inPlaceOf(first, inUse.space, standIn)
          : standIn
            ? withFallback(retrying(first, retries.indexing), standIn)
            : retrying(first, retries.indexing);
      // What one stream learns of the backend's best size serves the next.
      const pace = createBackendPace();
      // A server that claims the space of another model must not fill the cache of that model for all projects.
      const described = name === undefined ? inUse : named(settings, name);
      const opening = described.space === undefined ? await cache() : undefined;
      return createVectorSource({
        embedder,
        ...(opening && { cache: opening }),
        make: (texts, options) => embedStream(embedder, texts, { ...options, pace }),
      });
    });

  const forQuestions = async (name?: string): Promise<Embedder> => {
    const { retrying } = await import('../../embedding/retrying.ts');
    const { withDeadline } = await import('../../embedding/with-deadline.ts');
    const embedder = retrying(await open(name), retries.question);
    return embedder.facts.address === undefined ? embedder : withDeadline(embedder, questionDeadline);
  };
  // What an index remembers may have come with a folder: its address needs consent as if the folder named it.
  const openFormer = (described: EmbedderSettings): Promise<Embedder> => {
    const key = JSON.stringify(described);
    const present =
      opened.get(key) ??
      once(() => openNamed(undefined, withThreads(described), () => contextOfFormer(described)));
    opened.set(key, present);
    return present();
  };
  // The key of the server in use is not for the one before it.
  const contextOfFormer = async ({ url }: EmbedderSettings): Promise<DriverContext> => {
    const plain = await cautiousContext();
    const origin = originOf(url);
    if (origin === undefined || mayGetGeneralKey(settings, plain.environment, origin)) return plain;
    return {
      ...plain,
      environment: (name) => (isKeyVariable(name) ? undefined : plain.environment(name)),
    };
  };
  const space = (): Promise<string | undefined> =>
    open().then(
      ({ fingerprint }) => fingerprint,
      () => undefined,
    );

  const answering = async (store: Store): Promise<Embedder> => {
    const wanted = await forQuestions().catch(asQuarryError);
    const former = await formerEmbedder(store);
    const isReady = wanted instanceof QuarryError ? false : await isCovered(store, wanted.fingerprint);
    const standsBeside = former && (await store.dimensions(former.space)) !== undefined;
    if (!isReady && standsBeside) {
      const embedder = await openFormer(former.embedder).catch(() => undefined);
      if (embedder?.fingerprint === former.space) return embedder;
    }
    if (wanted instanceof QuarryError) throw wanted;
    return wanted;
  };

  return {
    sources: [source(), ...Object.keys(settings.embedders).map(source)],
    cache,
    fallback,
    forQuestions,
    space,
    spaces: () =>
      Promise.all([undefined, ...Object.keys(settings.embedders)].map(open)).then(
        (embedders) => embedders.map(({ fingerprint }) => fingerprint),
        () => undefined,
      ),
    answering,
    async coverage(store) {
      const embedder = await answering(store).catch(() => undefined);
      if (!embedder) return 0;
      const { chunks, embedded } = await store.counts(embedder.fingerprint);
      return (await isCovered(store, embedder.fingerprint)) ? 1 : embedded / chunks;
    },
    async remember(store) {
      const current = await space();
      if (current !== undefined && (await isCovered(store, current)))
        await rememberEmbedder(store, { space: current, embedder: inUse });
    },
    async close() {
      for (const embedder of opened.values()) await embedder.forget((value) => value.close());
      await cache.forget(async (value) => value?.close());
    },
  };
}

/** Opens an embedder that sends nothing to where the user has withdrawn consent, also later on. */
async function openNamed(
  name: string | undefined,
  described: EmbedderSettings,
  context: () => Promise<DriverContext>,
): Promise<Embedder> {
  const { openEmbedder } = await import('../open-driver.ts');
  const { withConsent } = await import('../../embedding/with-consent.ts');
  const plain = await context();
  const agreed: URL[] = [];
  const noting: DriverContext = {
    ...plain,
    async requireConsent(address) {
      await plain.requireConsent(address);
      agreed.push(address);
    },
  };
  const place = name === undefined ? 'embedder' : `embedders.${name}`;
  const embedder = await openEmbedder(described, noting, place);
  const requireAll = async (): Promise<void> => {
    for (const address of agreed) await plain.requireConsent(address);
  };
  return agreed.length === 0 ? embedder : withConsent(embedder, requireAll);
}

/** An embedder of the settings' own table, or a driver by its name with nothing else said. */
function named({ embedders }: Settings, name: string): EmbedderSettings {
  const described = Object.hasOwn(embedders, name) ? embedders[name] : undefined;
  return described ?? { driver: name };
}

/** The error for a question that asks for vectors which the index does not have. */
export function noVectors(name: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The index has no vectors of the embedder "${name}".`,
    `Add [embedders.${name}] to quarry.toml, then run: quarry index`,
  );
}
