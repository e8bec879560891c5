import { resolve } from 'node:path';
import { asQuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexOptions } from '../indexing/run.ts';
import { type Environment, processEnvironment, variablesWithPrefix } from '../platform/environment.ts';
import { once } from '../platform/once.ts';
import { checkRoots } from './check-roots.ts';
import { type ResolvedSettings, resolveSettings } from './config.ts';
import { disabledProject } from './disabled-project.ts';
import type { Project } from './project.ts';
import { emptyStatus, statusOf } from './project-status.ts';
import { searchProject } from './search-project.ts';
import { ensureStateFolder, hasStateFolder, requireFolder } from './state-folder.ts';

/** How a project is opened. */
export interface OpenOptions {
  /** Settings that win over files and environment, by dotted key: `{ 'search.top_k': 10 }`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Reads variables in place of the process's own environment. */
  readonly environment?: Environment;
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
  await checkRoots(root, resolved);
  return resolved.settings.enabled
    ? enabledProject(root, resolved, environment)
    : disabledProject(root, resolved);
}

function enabledProject(folder: string, resolved: ResolvedSettings, environment: Environment): Project {
  const { settings, origins } = resolved;
  const context = once(async () => ({ environment, stateFolder: await ensureStateFolder(folder) }));
  const drivers = () => import('./open-driver.ts');
  const store = once(async () => (await drivers()).openStore(settings, await context()));
  const embedder = once(async () => (await drivers()).openEmbedder(settings, await context()));
  const reading = once(async () => {
    const { openReading } = await import('./reading-pool.ts');
    return openReading(settings, await embedder(), (await context()).stateFolder);
  });
  // An embedder named for one run must not cost the index the vectors of the one it is made with.
  const keepOtherVectors = ['embedder.driver', 'embedder.model'].some((key) =>
    ['flag', 'environment'].includes(origins.get(key)?.layer ?? 'default'),
  );

  const run = async function* (options: IndexOptions): AsyncGenerator<IndexEvent> {
    const { runIndexing } = await import('../indexing/run.ts');
    const { openLocalSource } = await import('./local-source.ts');
    const source = openLocalSource(folder, settings, environment);
    const parts = { source, store: await store(), embedder: await embedder(), reading: await reading() };
    yield* runIndexing(parts, { ...options, keepOtherVectors });
  };

  return {
    folder,
    settings,
    origins,
    store,
    embedder,
    async *index(options = {}) {
      try {
        yield* run(options);
      } catch (thrown) {
        if (!options.full || asQuarryError(thrown).code !== 'store-corrupt') throw thrown;
        // Everything in the index can be made again from the files: a full run mends what is beyond opening.
        await store.forget((opened) => opened.close());
        await (await drivers()).discardStore(settings, await context());
        yield* run(options);
      }
    },
    async add(document, { signal } = {}) {
      const { putVirtual } = await import('../indexing/virtual-documents.ts');
      const { embedChunks } = await import('../indexing/embed-missing.ts');
      const { uri, chunks } = await putVirtual(await store(), await reading(), document);
      await embedChunks(await store(), await embedder(), chunks, signal);
      return uri;
    },
    remove: async (...uris) => ((await hasStateFolder(folder)) ? (await store()).deletePaths(uris) : 0),
    // Only what writes makes the state folder: looking at a folder leaves no trace in it.
    search: async (question, options) =>
      searchProject(
        (await hasStateFolder(folder)) ? store : undefined,
        embedder,
        settings,
        question,
        options,
      ),
    status: async () =>
      (await hasStateFolder(folder))
        ? statusOf(folder, await store(), await embedder())
        : emptyStatus(folder, settings.embedder.driver),
    async close() {
      await reading.forget((opened) => opened.close());
      await embedder.forget((opened) => opened.close());
      await store.forget((opened) => opened.close());
    },
  };
}
