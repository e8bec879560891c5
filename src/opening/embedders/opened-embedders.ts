import type { DriverContext } from '../../contracts/driver.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { VectorSource } from '../../contracts/vector-source.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { closeAll } from '../../platform/close-all.ts';
import { type Once, once } from '../../platform/once.ts';
import { isKeyVariable, keyVariableFor, mayGetGeneralKey, originOf } from '../../settings/embedder-keys.ts';
import type { EmbedderSettings } from '../../settings/embedder-settings.ts';
import { usesSketches } from '../../settings/reranker-in-use.ts';
import { resourcesOf } from '../../settings/resources.ts';
import type { Settings } from '../../settings/settings.ts';
import { openUserCache } from './user-cache.ts';

/** How often and how long a run asks a failing backend again. */
const retries = { attempts: 6, patience: 300_000 };

/** What embedders are opened with. */
export interface EmbedderSetting {
  readonly settings: Settings;
  readonly context: () => Promise<DriverContext>;
  /** For what an index remembers: it may have come with a folder, so its address needs consent as if the folder named it. */
  readonly cautiousContext: () => Promise<DriverContext>;
}

/** Embedders, their sources and the cache: each is opened when first asked for, and all are closed together. */
export interface OpenedEmbedders {
  /** The embedder of this name; without one the embedder in use. */
  embedder(name?: string): Promise<Embedder>;
  /** An embedder that an index remembers. */
  previous(described: EmbedderSettings): Promise<Embedder>;
  /** Vectors of an embedder, through the cache. */
  source(name?: string): Promise<VectorSource>;
  /** The shared cache of vectors, or undefined where it is turned off. */
  cache(): Promise<VectorCache | undefined>;
  /** Closes all that was opened. Nothing of it may be used afterwards. */
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createOpenedEmbedders(given: EmbedderSetting): OpenedEmbedders {
  const { settings, context } = given;
  const fallbackName = settings.embedder.fallback;
  const embedders = new Map<string | undefined, Once<Embedder>>();
  const sources = new Map<string | undefined, Once<VectorSource>>();
  const makers: Once<VectorSource>[] = [];
  let isClosed = false;
  const opened = (
    key: string | undefined,
    described: EmbedderSettings,
    contextOf: () => Promise<DriverContext>,
    place: string,
  ): Promise<Embedder> =>
    present(embedders, key, () =>
      once(
        () => openConsenting(withThreads(settings, described), contextOf, place),
        (value) => value.close(),
      ),
    )();
  const embedder = (name?: string): Promise<Embedder> =>
    opened(
      name,
      describedAs(settings, name),
      () => contextOfNamed(given, name),
      name === undefined ? 'embedder' : `embedders.${name}`,
    );
  const cache = once(
    async () =>
      settings.cache.max_bytes === 0 ? undefined : openUserCache((await context()).cacheFolder, settings),
    async (value) => value?.close(),
  );

  const openSource = async (name?: string): Promise<VectorSource> => {
    const standIn =
      name === undefined && fallbackName !== undefined ? () => embedder(fallbackName) : undefined;
    const { space } = describedAs(settings, name);
    const patient = await openPatient(() => embedder(name), space, standIn);
    // A server that claims the space of another model must not fill the cache of that model for all projects.
    const shared = async () => (space === undefined && !isClosed ? cache() : undefined);
    const maker = once(() => openMaker(patient, shared, usesSketches(settings)));
    makers.push(maker);
    let opened: VectorSource | undefined;
    return {
      embedder: patient,
      get problem() {
        return opened?.problem;
      },
      async *vectorsFor(texts, options) {
        opened = await maker();
        yield* opened.vectorsFor(texts, options);
      },
    };
  };

  return {
    embedder,
    previous: (described) =>
      opened(JSON.stringify(described), described, () => contextOfPrevious(given, described), 'embedder'),
    source: (name) => present(sources, name, () => once(() => openSource(name)))(),
    cache,
    async close() {
      isClosed = true;
      // A source that is being opened still opens what it needs: that is closed after it.
      await closeAll(sources.values());
      await closeAll(makers);
      await closeAll([...embedders.values(), cache]);
    },
  };
}

function present<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

/** Makes vectors in batches, through the cache; opened with the first text, since most runs need no vector. */
async function openMaker(
  embedder: Embedder,
  cache: () => Promise<VectorCache | undefined>,
  wantsSketches: boolean,
): Promise<VectorSource> {
  const { createVectorSource } = await import('../../embedding/cache/create-vector-source.ts');
  const { embedStream } = await import('../../embedding/batching/embed-stream.ts');
  const { createThroughput } = await import('../../embedding/batching/throughput.ts');
  const { withoutSketches } = await import('../../embedding/wrapped.ts');
  // What one stream learns of the backend's best size serves the next.
  const throughput = createThroughput();
  const shared = await cache();
  // Sketches are of use to a reranker alone, and only where they are kept.
  const maker = shared && wantsSketches ? embedder : withoutSketches(embedder);
  return createVectorSource({
    embedder,
    ...(shared && { cache: shared }),
    make: (texts, options) => embedStream(maker, texts, { ...options, throughput }),
  });
}

/** An embedder for runs, which can wait for its backend; its fallback makes vectors of the same space. */
async function openPatient(
  open: () => Promise<Embedder>,
  space: string | undefined,
  standIn: (() => Promise<Embedder>) | undefined,
): Promise<Embedder> {
  const { retrying } = await import('../../embedding/retrying.ts');
  const { inPlaceOf, isBackendFailure, withFallback } = await import('../../embedding/with-fallback.ts');
  const first = await open().catch(asQuarryError);
  if (first instanceof QuarryError) {
    if (!(standIn && isBackendFailure(first))) throw first;
    return inPlaceOf(first, space, standIn);
  }
  const patient = retrying(first, retries);
  return standIn ? withFallback(patient, standIn) : patient;
}

/** Opens an embedder that sends nothing to where the user has withdrawn consent, also later on. */
async function openConsenting(
  described: EmbedderSettings,
  context: () => Promise<DriverContext>,
  place: string,
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
  const embedder = await openEmbedder(described, noting, place);
  const requireAll = async (): Promise<void> => {
    for (const address of agreed) await plain.requireConsent(address);
  };
  return agreed.length === 0 ? embedder : withConsent(embedder, requireAll);
}

/** The embedder in use, one of the settings' own table, or a driver by its name with nothing else said. */
function describedAs({ embedder, embedders }: Settings, name: string | undefined): EmbedderSettings {
  if (name === undefined) {
    const { fallback: _, ...inUse } = embedder;
    return inUse;
  }
  const described = Object.hasOwn(embedders, name) ? embedders[name] : undefined;
  return described ?? { driver: name };
}

/** A local model gets its share of the machine. */
function withThreads(
  settings: Settings,
  described: EmbedderSettings,
): EmbedderSettings & { readonly threads?: number } {
  return described.driver === 'local'
    ? { ...described, threads: resourcesOf(settings).modelThreads }
    : described;
}

async function contextOfNamed(
  { settings, context }: EmbedderSetting,
  name: string | undefined,
): Promise<DriverContext> {
  const plain = await context();
  return name === undefined
    ? plain
    : { ...plain, keyVariable: keyVariableFor(settings, plain.environment, name) };
}

/** The key of the server in use is not for the one before it. */
async function contextOfPrevious(
  { settings, cautiousContext }: EmbedderSetting,
  { url }: EmbedderSettings,
): Promise<DriverContext> {
  const plain = await cautiousContext();
  const origin = originOf(url);
  if (origin === undefined || mayGetGeneralKey(settings, plain.environment, origin)) return plain;
  return { ...plain, environment: (name) => (isKeyVariable(name) ? undefined : plain.environment(name)) };
}
