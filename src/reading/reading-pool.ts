import type { Reading } from '../indexing/read-document.ts';
import { hasRecogniser } from '../models/added-models.ts';
import { processEnvironment, userCacheFolder } from '../platform/environment.ts';
import { tasksPerThread } from '../platform/threads/thread-share.ts';
import { recipeOf } from '../settings/recipe.ts';
import { resourcesOf } from '../settings/resources.ts';
import type { Settings } from '../settings/settings.ts';
import { formatOf } from './formats.ts';
import { namesBeside } from './names-beside.ts';
import type { ReadingThreads } from './reading-threads.ts';

/** Files under way for each thread: those that it has, and two that are being read. */
const filesPerThread = tasksPerThread + 2;

/** Reads files in threads; a run that finds nothing to read does not even load what starts them. */
export function openReading(settings: Settings, cacheFolder = userCacheFolder(processEnvironment)): Reading {
  const { readingThreads, bytesAtOnce } = resourcesOf(settings);
  let threads: Promise<ReadingThreads> | undefined;
  let isClosed = false;
  const open = async (): Promise<ReadingThreads> => {
    const { openReadingThreads } = await import('./reading-threads.ts');
    const opened = openReadingThreads(settings, cacheFolder);
    if (isClosed) await opened.close();
    return opened;
  };
  return {
    recipe: recipeOf(settings),
    concurrency: readingThreads * filesPerThread,
    bytesAtOnce,
    maxAgeDays: settings.max_age_days,
    beside: namesBeside,
    readsPictures: () => hasRecogniser(cacheFolder),
    takesLong: (uri) => formatOf(uri).extractor === 'picture',
    async read(raw, options) {
      threads ??= open();
      return (await threads).read(raw, options);
    },
    rest: async () => (await threads)?.rest(),
    async close() {
      isClosed = true;
      await (await threads)?.close();
    },
  };
}
