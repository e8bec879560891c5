import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { WatchEvent } from '../core/events.ts';
import type { WatchOptions } from '../indexing/watching/watch.ts';
import type { Watched } from '../indexing/watching/watched.ts';
import type { Environment } from '../platform/environment.ts';
import type { Project } from './project.ts';
import { configFileName } from './settings/config.ts';

/** What a watch needs besides the project it is asked of. */
export interface WatchProjectParts {
  readonly environment: Environment;
  /** Opens the same project with its settings as they are by then. */
  readonly reopen: () => Promise<Project>;
}

/** How a project is watched. */
export interface ProjectWatchOptions extends WatchOptions {
  /** Whether nobody else uses the project: then what it holds is let go when its settings change. False by default. */
  readonly isAlone?: boolean;
}

/**
 * Keeps a project's index in step with its files. As long as its settings are those of the project it is asked of, it
 * works with that one, and shares its model; for other settings it opens one of its own, and closes that again.
 */
export async function* watchProject(
  project: Project,
  { environment, reopen }: WatchProjectParts,
  { isAlone = false, ...options }: ProjectWatchOptions,
): AsyncGenerator<WatchEvent> {
  const { watchFiles } = await import('../indexing/watching/watch.ts');
  const { openLocalSource } = await import('./local-source.ts');
  const { folder, configFolder } = project;
  const open = async (): Promise<Watched> => {
    const own = await reopen();
    const isSame = isDeepStrictEqual(own.settings, project.settings);
    if (isSame) await own.close();
    const current = isSame ? project : own;
    const { index, watch } = current.settings;
    return {
      folder,
      source: openLocalSource(folder, current.settings, environment),
      roots: [folder, ...index.roots.map((root) => resolve(folder, root))],
      intervalSeconds: watch.interval_seconds,
      async *pass(passOptions) {
        // Making a graph takes minutes, in which changes are not to wait.
        yield* current.index({ ...passOptions, prepare: 'background' });
        // Other settings may have put another index in the place of the one that the owner has open.
        if (!isSame && !isAlone) await project.store().catch(() => undefined);
      },
      close: async () => {
        if (!isSame || isAlone) await current.close();
      },
    };
  };
  const settingsFiles = [folder, configFolder].map((place) => join(place, configFileName));
  yield* watchFiles({ settingsFiles, open }, options);
}
