import { resolve } from 'node:path';
import { z } from 'zod';
import { createContent } from '../added/project-content.ts';
import { checkOptions, checkValue, type OptionsOf } from '../calls/call-options.ts';
import type { Project, UserParts } from '../calls/project.ts';
import { isSettingsFault, QuarryError } from '../core/errors.ts';
import { readyForSearch } from '../index/prepare-search.ts';
import { createModelShelf } from '../models/model-shelf.ts';
import { createDriverContexts } from '../opening/driver-context.ts';
import { createEmbedders } from '../opening/embedders/project-embedders.ts';
import { createOutside } from '../opening/outside-searcher.ts';
import { createGenerator } from '../opening/project-generator.ts';
import { createReranker } from '../opening/project-reranker.ts';
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
import { createRuns, runChoices } from '../runs/index-runs.ts';
import { createCurrentIndex } from '../runs/indexes/current-index.ts';
import { createProjectIndex } from '../runs/indexes/project-index.ts';
import { followSettings, type SettingsInUse, staleCounter } from '../runs/settings-in-use.ts';
import type { LookFirst } from '../runs/update/first-look.ts';
import { freshenProject, shareFreshening } from '../runs/update/freshen-project.ts';
import { createUnchangedFiles } from '../runs/update/unchanged-files.ts';
import { checkProjectFile } from '../settings/check-project-file.ts';
import { checkRoots } from '../settings/check-roots.ts';
import { defaultSettings, type ResolvedSettings, resolveSettings } from '../settings/config.ts';
import { commandsOf, warningsOf } from '../settings/project-commands.ts';
import { retiredWarnings } from '../settings/retired-settings.ts';
import { settingsFilesOf } from '../settings/settings-files.ts';
import { createHistory } from '../sources/history/open-history.ts';
import { ensureStateFolder, requireFolder } from '../state-folder/state-folder.ts';
import { requireMeant } from '../state-folder/wide-folder.ts';
import { parseAddress } from '../user/consent.ts';
import { requireTrust } from '../user/trust.ts';
import { createAnswers } from './answers/project-answers.ts';
import { createSearch } from './answers/search-project.ts';
import { checkedProject } from './checked-project.ts';
import { createProjectGraph } from './project-graph.ts';
import { createUpkeep } from './project-upkeep.ts';
import { runByTodaysSettings } from './run-by-todays-settings.ts';
import { watchProject } from './watch-project.ts';

/** How a project is opened. */
export type OpenOptions = OptionsOf<'openProject'>;

/** Opens the project in a folder. Settings are read and checked now; everything heavy waits until it is used. */
export async function openProject(folder = '.', options: OpenOptions = {}): Promise<Project> {
  return open(folder, options, readSettings);
}

/** The same; where its settings cannot be used, by the defaults, with the reason. */
export async function openWhateverSettings(
  folder: string,
  options: OpenOptions,
): Promise<{ readonly project: Project; readonly fault?: QuarryError }> {
  try {
    return { project: await openProject(folder, options) };
  } catch (fault) {
    if (!isSettingsFault(fault)) throw fault;
    return { project: await open(folder, options, () => defaultSettings()), fault };
  }
}

async function open(
  folder: string,
  options: OpenOptions,
  read: (root: string, options: OpenOptions) => Promise<ResolvedSettings>,
): Promise<Project> {
  const fault = runtimeFault();
  if (fault) throw new QuarryError('requirement-missing', fault.message, fault.remedy);
  const root = resolve(checkValue('openProject', z.string(), folder));
  for (const address of checkOptions('openProject', options).consent ?? []) parseAddress(address);
  await requireFolder(root);
  const environment = options.environment ?? processEnvironment;
  const follow = await followSettings(settingsFilesOf(root, userConfigFolder(environment)));
  const resolved = await read(root, options);
  const inUse = follow(resolved.settings, async () => (await read(root, options)).settings);
  checkProjectFile(resolved);
  await checkRoots(root, resolved);
  if (resolved.settings.enabled) return checkedProject(enabledProject(root, resolved, options, inUse));
  const { disabledProject } = await import('./disabled-project.ts');
  return checkedProject(disabledProject(root, resolved, ownedByUser(environment)));
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

/** Puts the parts of a project together. Each opens what it needs when it is first used; `close` settles all of them. */
function enabledProject(
  folder: string,
  resolved: ResolvedSettings,
  options: OpenOptions,
  inUse: SettingsInUse,
): Project {
  const { settings, origins, lowered, untrusted, retired } = resolved;
  const environment = options.environment ?? processEnvironment;
  const reopen = () => openProject(folder, options);
  const isOutdated = () => inUse.isOutdated();
  const { consent = [] } = options;
  const contexts = createDriverContexts({ folder, environment, consent, settings, origins });
  const prepareToWrite = async (): Promise<void> => {
    await requireFolder(folder);
    await ensureStateFolder(folder);
  };
  const index = createProjectIndex(settings, contexts.store, prepareToWrite);
  const { store } = index;
  const embedders = createEmbedders(settings, contexts.embedder, contexts.previousEmbedder);
  const reranker = createReranker(settings, contexts.reranker, embedders);
  const generator = createGenerator(settings, contexts.generator);
  const reading = once(
    async () =>
      (await import('../reading/reading-pool.ts')).openReading(settings, userCacheFolder(environment)),
    (opened) => opened.close(),
  );
  const outside = createOutside(settings, contexts.outside, () =>
    requireTrust(userConfigFolder(environment), folder, commandsOf(settings, origins)),
  );
  const files = { folder, settings, environment, reading };
  const openSource = async () =>
    (await import('../sources/project-source.ts')).openSource(folder, settings, environment);
  const history = createHistory(files);
  const graph = createProjectGraph({ ...files, openSource, store });
  const runs = createRuns({ ...files, graph, index, embedders, isOutdated, ...runChoices(origins) });
  const countStale = staleCounter(settings, inUse);
  const current = createCurrentIndex({
    folder,
    index,
    prepareToWrite,
    rebuild: (wanted) => freshening.join(wanted),
  });
  const upkeep = createUpkeep({ ...files, index, current, embedders, runs, countStale });
  const unchanged = createUnchangedFiles({ folder, environment, store, isOutdated });
  const runIndex: Project['index'] = ({
    wait = true,
    prepare = wait ? 'wait' : 'never',
    ...runOptions
  } = {}) => {
    const { signal } = runOptions;
    const events = runByTodaysSettings({ runs, settings, inUse, reopen }, { ...runOptions, wait });
    if (prepare === 'never') return events;
    return readyForSearch(events, store, { inBackground: prepare === 'background', signal });
  };
  const firstLook = once(async () => {
    const { createFirstLook } = await import('../runs/update/first-look.ts');
    const { openSource } = await import('../sources/project-source.ts');
    const source = async () => openSource(folder, settings, environment);
    return createFirstLook({
      settings,
      store,
      source,
      reading,
      runs,
      hasModels: embedders.isReady,
      warm: embedders.warm,
    });
  });
  const lookFirst: LookFirst = async function* (asked) {
    if (await isOutdated()) return undefined;
    return yield* (await firstLook())(asked);
  };
  const freshen: Project['freshen'] = (freshenOptions) =>
    freshenProject(
      { index: runIndex, status: upkeep.status, settings, store },
      freshenOptions,
      unchanged,
      lookFirst,
      () => requireMeant(folder, environment),
    );
  const freshening = shareFreshening(freshen);
  const answers = createAnswers({
    files,
    store,
    current,
    freshening,
    searchIn: createSearch(embedders, reranker.open, settings, countStale, outside, history.isAllowed),
    notices: () => [...index.takeNotices(), ...warningsOf(untrusted), ...retiredWarnings(retired)],
    embedder: embedders.forQueries,
    generator,
  });
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
    index: runIndex,
    freshen,
    watch: (watchOptions = {}) =>
      watchProject(project, { environment, reopen, onLookout: unchanged.follow }, watchOptions),
    ...createContent({
      ...files,
      vectors: embedders.sources,
      async prepareToWrite() {
        // What was added would mark the folder as one that is meant.
        requireMeant(folder, environment);
        await prepareToWrite();
      },
      inCurrent: current.inCurrent,
    }),
    ...answers,
    history,
    graph: graph.answers({ freshening: () => freshening, current }),
    ...upkeep,
    async clean(cleanOptions) {
      await graph.close();
      return upkeep.clean(cleanOptions);
    },
    async close() {
      await freshening.close();
      await closeAll([graph, reading, generator, reranker, embedders, index, ...(outside ? [outside] : [])]);
    },
  };
  return project;
}

/** What belongs to the user and not to one project. */
function ownedByUser(environment: Environment): UserParts {
  const cacheFolder = userCacheFolder(environment);
  return { cacheFolder, configFolder: userConfigFolder(environment), models: createModelShelf(cacheFolder) };
}
