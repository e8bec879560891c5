import { isAbsolute, relative, resolve } from 'node:path';
import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';
import { virtualUri } from '../core/document.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexOptions } from '../indexing/run.ts';
import { type Environment, processEnvironment, variablesWithPrefix } from '../platform/environment.ts';
import { type Logger, silentLogger } from '../platform/logger.ts';
import { once } from '../platform/once.ts';
import { type ResolvedSettings, resolveSettings } from './config.ts';
import type { Project, ProjectStatus, SearchOptions, SearchOutcome } from './project.ts';
import type { Settings } from './settings.ts';
import { ensureStateFolder, requireFolder } from './state-folder.ts';

/** How a project is opened. */
export interface OpenOptions {
  /** Settings that win over files and environment, by dotted key: `{ 'search.top_k': 10 }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Environment;
  readonly logger?: Logger;
}

/** Opens the project in a folder. Settings are read and checked now; everything heavy waits until it is used. */
export async function openProject(folder = '.', options: OpenOptions = {}): Promise<Project> {
  const root = resolve(folder);
  await requireFolder(root);
  const environment = options.environment ?? processEnvironment;
  const resolved = await resolveSettings({
    folder: root,
    environment,
    variableNames: options.environment ? [] : variablesWithPrefix('QUARRY_'),
    flags: options.settings ?? {},
  });
  checkRoots(root, resolved);
  if (!resolved.settings.enabled) return disabledProject(root, resolved);
  return enabledProject(root, resolved, environment, options.logger ?? silentLogger);
}

function enabledProject(
  folder: string,
  { settings, origins }: ResolvedSettings,
  environment: Environment,
  logger: Logger,
): Project {
  const context = once(async () => ({ logger, environment, stateFolder: await ensureStateFolder(folder) }));
  const store = once(async () => (await import('./open-driver.ts')).openStore(settings, await context()));
  const embedder = once(async () =>
    (await import('./open-driver.ts')).openEmbedder(settings, await context()),
  );

  const openReading = async () => {
    const pool = await import('./reading-pool.ts');
    return pool.openReading(settings, await embedder(), (await context()).stateFolder);
  };

  const run = async function* (options: IndexOptions): AsyncGenerator<IndexEvent> {
    const { runIndexing } = await import('../indexing/run.ts');
    const source = await localSource(folder, settings, environment);
    const reading = await openReading();
    try {
      yield* runIndexing({ source, store: await store(), embedder: await embedder(), reading }, options);
    } finally {
      await reading.close();
    }
  };

  return {
    folder,
    settings,
    origins,
    store,
    embedder,
    async *index(options = {}): AsyncGenerator<IndexEvent> {
      try {
        yield* run(options);
      } catch (thrown) {
        if (!options.full || asQuarryError(thrown).code !== 'store-corrupt') throw thrown;
        // Everything in the index can be made again from the files: a full run mends what is beyond opening.
        await store.forget((opened) => opened.close());
        await (await import('./open-driver.ts')).discardStore(settings, await context());
        yield* run(options);
      }
    },
    async add(document, options = {}) {
      const [{ putVirtual }, { embedMissing }] = await Promise.all([
        import('../indexing/virtual-documents.ts'),
        import('../indexing/embed-missing.ts'),
      ]);
      const reading = await openReading();
      try {
        const uri = await putVirtual(await store(), reading, document);
        for await (const event of embedMissing(
          await store(),
          await embedder(),
          { embedded: 0, seconds: 0 },
          options.signal,
        )) {
          if (event.type === 'vectors-failed') throw event.error;
        }
        return uri;
      } finally {
        await reading.close();
      }
    },
    remove: async (...uris) => (await store()).deletePaths(uris),
    search: async (question, options) =>
      searchProject({ store: await store(), embedder: await embedder() }, settings, question, options),
    status: async () => statusOf(folder, await store(), await embedder()),
    async close() {
      await embedder.forget((opened) => opened.close());
      await store.forget((opened) => opened.close());
    },
  };
}

async function searchProject(
  parts: { store: Store; embedder: Embedder },
  settings: Settings,
  question: string,
  options: SearchOptions = {},
): Promise<SearchOutcome> {
  const { search } = await import('../retrieval/search.ts');
  const result = await search(parts, {
    question,
    topK: options.topK ?? settings.search.top_k,
    candidates: Math.max(settings.search.candidates, options.topK ?? 0),
    perDocument: settings.search.per_document,
    threshold: options.threshold ?? settings.search.threshold,
    denseWeight: options.denseWeight ?? settings.search.dense_weight,
    ...(options.filter && { filter: options.filter }),
    ...(options.signal && { signal: options.signal }),
  });
  const counts = await parts.store.counts(parts.embedder.fingerprint);
  return { ...result, pending: counts.chunks - counts.embedded };
}

async function statusOf(folder: string, store: Store, embedder: Embedder): Promise<ProjectStatus> {
  const [counts, manifest, documents, syncedAt] = await Promise.all([
    store.counts(embedder.fingerprint),
    store.manifest(),
    store.documents(),
    store.fact('synced-at'),
  ]);
  const types: Record<string, number> = {};
  for (const { type } of documents) types[type] = (types[type] ?? 0) + 1;
  return {
    folder,
    enabled: true,
    empty: counts.documents === 0,
    counts,
    types,
    ...(syncedAt !== undefined && { syncedAt: Number(syncedAt) }),
    embedder: embedder.fingerprint,
    failed: manifest.filter((entry) => entry.status === 'failed'),
    degraded: manifest.filter((entry) => entry.reason === 'degraded'),
    skipped: manifest.filter((entry) => entry.status === 'skipped'),
  };
}

async function localSource(folder: string, settings: Settings, environment: Environment) {
  const { createLocalSource } = await import('../drivers/sources/local/local-source.ts');
  const { formatOf } = await import('./formats.ts');
  const { roots, include, exclude, max_file_bytes, max_document_bytes, gitignore } = settings.index;
  const home = environment('HOME') ?? environment('USERPROFILE');
  return createLocalSource({
    root: folder,
    roots,
    include,
    exclude,
    maxFileBytes: (uri) => (formatOf(uri).isContainer ? max_document_bytes : max_file_bytes),
    useGitignore: gitignore,
    environment,
    ...(home && { home }),
  });
}

function disabledProject(folder: string, { settings, origins }: ResolvedSettings): Project {
  const refuse = async (): Promise<never> => {
    throw new QuarryError(
      'project-disabled',
      `The project ${folder} is disabled.`,
      'Set enabled = true in quarry.toml.',
    );
  };
  const counts = { documents: 0, chunks: 0, embedded: 0, bytes: 0 };
  return {
    folder,
    settings,
    origins,
    async *index(): AsyncGenerator<IndexEvent> {
      yield {
        type: 'index-end',
        summary: {
          documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
          chunks: { total: 0, written: 0, embedded: 0, reused: 0, pending: 0 },
          skipped: {},
          redacted: 0,
          seconds: { total: 0, embedding: 0 },
        },
      };
    },
    add: async ({ name }) => virtualUri(name),
    remove: async () => 0,
    search: async () => ({ hits: [], warnings: [], pending: 0 }),
    status: async () => ({
      folder,
      enabled: false,
      empty: true,
      counts,
      types: {},
      embedder: '',
      failed: [],
      degraded: [],
      skipped: [],
    }),
    store: refuse,
    embedder: refuse,
    async close() {},
  };
}

/** A file that came with the folder may only name what is inside it; the user's own layers may name anything. */
function checkRoots(folder: string, { settings, origins }: ResolvedSettings): void {
  if (origins.get('index.roots')?.layer !== 'project') return;
  for (const root of settings.index.roots) {
    const inside = relative(folder, resolve(folder, root));
    if (!inside.startsWith('..') && !isAbsolute(inside)) continue;
    throw new QuarryError(
      'root-outside-project',
      `quarry.toml names the root ${root}, which is outside ${folder}.`,
      'Name it in your user settings, in QUARRY_INDEX_ROOTS or with --set index.roots=… instead.',
    );
  }
}
