import { resolve } from 'node:path';
import { z } from 'zod';
import type { IndexState, Store } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { usesVectors } from '../core/query.ts';
import { deletePaths } from '../index/write.ts';
import { closeAll } from '../platform/close-all.ts';
import {
  type Environment,
  processEnvironment,
  userCacheFolder,
  userConfigFolder,
  variablesWithPrefix,
} from '../platform/environment.ts';
import { once } from '../platform/once.ts';
import { runtimeFault } from '../platform/supported-runtime.ts';
import { parseAddress } from '../user/consent.ts';
import { keptFiles } from './added/kept-folder.ts';
import { createGenerator } from './answers/project-generator.ts';
import { checkOptions, checkValue, type OptionsOf } from './call-options.ts';
import { checkedProject } from './checked-project.ts';
import { disabledProject } from './disabled-project.ts';
import { createDriverContext, layerOf } from './driver-context.ts';
import { createEmbedders } from './embedders/project-embedders.ts';
import { freshenProject, shareFreshening, withFreshness } from './freshen-project.ts';
import { createRuns } from './index/index-runs.ts';
import { verifyIndex } from './index/index-soundness.ts';
import { cleanState, listManifest } from './index/index-upkeep.ts';
import { readyForSearch } from './index/prepare-search.ts';
import { changesOf } from './index/project-changes.ts';
import { createProjectIndex, isForeign } from './index/project-index.ts';
import { emptyStatus, statusOf } from './index/project-status.ts';
import { setAsideNames } from './index/set-aside.ts';
import { createModelShelf } from './model-shelf.ts';
import { createOutside } from './outside-searcher.ts';
import type { Freshness, Project, UserParts } from './project.ts';
import { createReranker } from './project-reranker.ts';
import { decidesRecipe, recipeOf } from './reading/recipe.ts';
import { storeResources } from './resources.ts';
import { createSearch, notIndexed } from './search-project.ts';
import { checkProjectFile } from './settings/check-project-file.ts';
import { checkRoots } from './settings/check-roots.ts';
import { type ResolvedSettings, resolveSettings, type SettingLayer } from './settings/config.ts';
import { retiredWarnings } from './settings/retired-settings.ts';
import { settingsFilesOf } from './settings/settings-files.ts';
import { followSettings, type SettingsInUse } from './settings/settings-in-use.ts';
import { ensureStateFolder, hasStateFolder, requireFolder, stateFolderOf } from './state-folder.ts';
import { commandsOf, requireTrust, warningsOf } from './trust.ts';
import { createUnchangedFiles } from './unchanged-files.ts';
import { watchProject } from './watch-project.ts';

/** Writes of one call into an index that another process replaces each time. */
const maxSwitches = 10;

const embedderKeys = ['embedder.driver', 'embedder.model'];

/** How a project is opened. */
export type OpenOptions = OptionsOf<'openProject'>;

/** Opens the project in a folder. Settings are read and checked now; everything heavy waits until it is used. */
export async function openProject(folder = '.', options: OpenOptions = {}): Promise<Project> {
  const fault = runtimeFault();
  if (fault) throw new QuarryError('requirement-missing', fault.message, fault.remedy);
  const root = resolve(checkValue('openProject', z.string(), folder));
  for (const address of checkOptions('openProject', options).consent ?? []) parseAddress(address);
  await requireFolder(root);
  const environment = options.environment ?? processEnvironment;
  const follow = await followSettings(settingsFilesOf(root, userConfigFolder(environment)));
  const resolved = await readSettings(root, options);
  const inUse = follow(resolved.settings, async () => (await readSettings(root, options)).settings);
  checkProjectFile(resolved);
  await checkRoots(root, resolved);
  return checkedProject(
    resolved.settings.enabled
      ? enabledProject(root, resolved, options, inUse)
      : disabledProject(root, resolved, ownedByUser(environment)),
  );
}

/** The settings as they are at this moment. */
function readSettings(
  folder: string,
  { environment = processEnvironment, settings = {} }: OpenOptions,
): Promise<ResolvedSettings> {
  return resolveSettings({
    folder,
    environment,
    variableNames: environment === processEnvironment ? variablesWithPrefix('QUARRY_') : [],
    flags: settings,
  });
}

function enabledProject(
  folder: string,
  resolved: ResolvedSettings,
  options: OpenOptions,
  inUse: SettingsInUse,
): Project {
  const { settings, origins, lowered, untrusted, retired } = resolved;
  const environment = options.environment ?? processEnvironment;
  const contextFor = (addressLayer: SettingLayer, stateFolder: () => Promise<string>) =>
    once(async () =>
      createDriverContext({
        folder,
        stateFolder: await stateFolder(),
        environment,
        resources: storeResources(settings),
        addressLayer,
        consent: options.consent ?? [],
      }),
    );
  const addressLayer = layerOf(origins, /^embedder\.(driver|url)$|^embedders\./);
  const context = contextFor(layerOf(origins, /^store\.(driver|url)$/), () => ensureStateFolder(folder));
  // Embedders keep nothing in the folder: to look at one leaves no trace there.
  const withoutTrace = (layer: SettingLayer) => contextFor(layer, async () => stateFolderOf(folder));
  const prepareToWrite = async (): Promise<void> => {
    await requireFolder(folder);
    await ensureStateFolder(folder);
  };
  const index = createProjectIndex(settings, context, prepareToWrite);
  const { store } = index;
  const embedders = createEmbedders(settings, withoutTrace(addressLayer), withoutTrace('project'));
  const reranker = createReranker(
    settings,
    withoutTrace(layerOf(origins, /^reranker\.(driver|url)$/)),
    embedders,
  );
  const generator = createGenerator(settings, withoutTrace(layerOf(origins, /^generator\.(driver|url)$/)));
  const reading = once(
    async () => (await import('./reading/reading-pool.ts')).openReading(settings),
    (opened) => opened.close(),
  );
  const layer = (key: string): SettingLayer => origins.get(key)?.layer ?? 'default';
  const isForOneProcess = (key: string): boolean => ['flag', 'environment'].includes(layer(key));
  const runs = createRuns({
    folder,
    settings,
    environment,
    index,
    embedders,
    reading,
    keepOtherVectors: embedderKeys.some(isForOneProcess),
    isTrial: [...origins.keys()].some((key) => layer(key) === 'flag' && decidesRecipe(key)),
    recutsOnRequest: [...origins.keys()].some(
      (key) => isForOneProcess(key) && (decidesRecipe(key) || embedderKeys.includes(key)),
    ),
    isOutdated: () => inUse.isOutdated(),
  });
  /** Documents that are cut as previous settings said; settings that are previous ones themselves have no say in it. */
  const countStale = async (opened: Store, state: IndexState): Promise<number> => {
    if (await inUse.isOutdated()) return 0;
    const { staleEntries } = await import('../indexing/recipe.ts');
    return (await staleEntries(opened, recipeOf(settings), state)).length;
  };
  /** By the settings of today: those that a project was opened with must not win over them. */
  const sync = async function* (runOptions: Parameters<typeof runs.sync>[0]): AsyncGenerator<IndexEvent> {
    const { signal } = runOptions;
    if (signal?.aborted) throw interrupted(signal.reason);
    if (!(await inUse.isOutdated())) {
      const { checkEmbedders } = await import('./open-driver.ts');
      await checkEmbedders(settings);
      return yield* runs.sync(runOptions);
    }
    const today = await openProject(folder, options);
    try {
      yield* today.index({ ...runOptions, prepare: 'never' });
    } finally {
      await today.close();
    }
  };
  /** Writes into the index that answers; once more as often as another one took its place meanwhile. */
  const inCurrent = async <Result>(write: (store: Store) => Promise<Result>): Promise<Result> => {
    for (let attempt = 1; attempt <= maxSwitches; attempt += 1) {
      const current = await store();
      const [outcome] = await Promise.allSettled([write(current)]);
      await prepareToWrite();
      if ((await store()) !== current) continue;
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    }
    throw new QuarryError(
      'store-busy',
      `The index of ${folder} was replaced ${maxSwitches} times while this call tried to write it.`,
      'Find out what replaces it, then try again.',
    );
  };

  /** Where a row shows that somebody else wrote it, the index is set aside, and the work is done again with a new one. */
  const believed = async <Result>(
    work: (rebuilt?: Freshness) => Promise<Result>,
    vectors = false,
  ): Promise<Result> => {
    try {
      return await work();
    } catch (thrown) {
      if (!isForeign(thrown)) throw thrown;
      await index.distrust(asQuarryError(thrown));
      // The new one is empty: it is built before it is asked, also by a caller that wanted no update.
      return work(await freshening.join({ vectors }));
    }
  };

  const contentParts = { folder, settings, environment, reading, embedders, prepareToWrite, inCurrent };
  const outside = createOutside(
    settings,
    withoutTrace(layerOf(origins, /^store\.(driver|mcp\.server)$/)),
    () => requireTrust(userConfigFolder(environment), folder, commandsOf(settings, origins)),
  );
  const unchanged = createUnchangedFiles({ folder, store, isOutdated: () => inUse.isOutdated() });
  const searchIn = createSearch(embedders, reranker.open, settings, countStale, outside);
  const project: Project = {
    folder,
    settings,
    origins,
    lowered,
    untrusted,
    retired,
    ...ownedByUser(environment),
    store,
    embedder: embedders.forQueries,
    reranker: reranker.open,
    generator: generator.open,
    vectorCache: embedders.cache,
    index({ wait = true, prepare = wait ? 'wait' : 'never', ...runOptions } = {}) {
      const { signal } = runOptions;
      const events = sync({ ...runOptions, wait });
      if (prepare === 'never') return events;
      return readyForSearch(events, store, { inBackground: prepare === 'background', signal });
    },
    freshen: (freshenOptions) => freshenProject(project, freshenOptions, unchanged),
    watch: (watchOptions = {}) => {
      const parts = { environment, reopen: () => openProject(folder, options), onLookout: unchanged.follow };
      return watchProject(project, parts, watchOptions);
    },
    add: async (document, { signal } = {}) =>
      (await import('./added/add-content.ts')).addContent(contentParts, document, signal),
    async remove(...uris) {
      const { removeContent } = await import('./added/add-content.ts');
      const isIndexed = hasStateFolder(folder);
      let removed = 0;
      for (const uri of new Set(uris))
        if (isVirtual(uri)) removed += Number(await removeContent(contentParts, uri, isIndexed));
        else if (isIndexed) removed += await inCurrent((current) => deletePaths(current, [uri]));
      return removed;
    },
    adopt: async ({ signal } = {}) =>
      (await import('./added/adopt-content.ts')).adoptContent(contentParts, signal),
    // Only what writes makes the state folder: looking at a folder leaves no trace in it.
    async search(query, { update = settings.index.on_search, ...searchOptions } = {}) {
      const { signal } = searchOptions;
      if (signal?.aborted) throw interrupted(signal.reason);
      const vectors = usesVectors(searchOptions);
      const answer = () => searchIn(hasStateFolder(folder) ? store : undefined, query, searchOptions);
      return believed(async (rebuilt) => {
        const fresh = rebuilt ?? (update ? await freshening.join({ vectors, signal }) : { warnings: [] });
        // The state folder may be deleted at any moment: a second look finds none, or one that a watch has made since.
        const found = await answer().catch((thrown: unknown) => {
          if (asQuarryError(thrown).code !== 'store-unusable') throw thrown;
          return answer();
        });
        const notices = [...index.takeNotices(), ...warningsOf(untrusted), ...retiredWarnings(retired)];
        return withFreshness(found, { ...fresh, warnings: [...notices, ...fresh.warnings] });
      }, vectors);
    },
    async read({ update = settings.index.on_search, ...readOptions }) {
      const { signal } = readOptions;
      if (signal?.aborted) throw interrupted(signal.reason);
      return believed(async (rebuilt) => {
        if (update && !rebuilt) await freshening.join({ vectors: false, signal });
        if (!hasStateFolder(folder)) throw notIndexed();
        return (await import('./read-project.ts')).readFrom(await store(), folder, readOptions);
      });
    },
    context: async (query, contextOptions) => {
      const { contextOf } = await import('./answers/project-context.ts');
      return contextOf(project, contentParts, query, contextOptions);
    },
    async inject(prompt, query, { onWarning = () => {}, ...contextOptions } = {}) {
      const { injectInto } = await import('./answers/project-context.ts');
      return injectInto(prompt, () => project.context(query, contextOptions), onWarning);
    },
    async *ask(question, askOptions) {
      const { askProject } = await import('./answers/ask-project.ts');
      return yield* askProject({ project, files: contentParts, generator }, question, askOptions);
    },
    async status({ compare = true, signal } = {}) {
      return believed(async () => {
        const opened = hasStateFolder(folder) ? await store() : undefined;
        // Compared first: a run that ends meanwhile then makes the counts newer than the comparison, never older.
        const changes =
          compare && (await changesOf({ folder, settings, environment, store: opened, signal }));
        const status = opened
          ? await statusOf(folder, opened, embedders, settings, countStale)
          : emptyStatus(folder, settings.embedder.driver);
        return { ...status, ...changes, setAside: await setAsideNames(stateFolderOf(folder)) };
      });
    },
    async *verify({ signal } = {}) {
      if (hasStateFolder(folder)) yield* verifyIndex(index, signal);
      const { damagedFiles } = await import('./added/kept-soundness.ts');
      for await (const { defect } of damagedFiles({ folder, environment }, signal)) yield defect;
    },
    repair: ({ signal } = {}) => runs.repair(signal),
    async clean({ all = false } = {}) {
      const isIndexed = hasStateFolder(folder);
      const report = isIndexed
        ? await believed(() => cleanState(index, { folder, environment }, all))
        : { removed: [], bytes: 0 };
      return { ...report, kept: (await keptFiles(folder)).length };
    },
    manifest: async ({ chunks = false } = {}) =>
      hasStateFolder(folder) ? believed(async () => listManifest(await store(), chunks)) : [],
    async close() {
      await freshening.close();
      await closeAll([reading, generator, reranker, embedders, index, ...(outside ? [outside] : [])]);
    },
  };
  const freshening = shareFreshening(project.freshen);
  return project;
}

/** What belongs to the user and not to one project. */
function ownedByUser(environment: Environment): UserParts {
  const cacheFolder = userCacheFolder(environment);
  return { cacheFolder, configFolder: userConfigFolder(environment), models: createModelShelf(cacheFolder) };
}
