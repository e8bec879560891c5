import { join } from 'node:path';
import type { WatchEvent } from '../core/events.ts';
import type { WatchOptions } from '../indexing/watch.ts';
import type { Watched } from '../indexing/watched.ts';
import type { Environment } from '../platform/environment.ts';
import { configFileName } from './config.ts';
import type { Project } from './project.ts';

/** What a watch needs besides the project it begins with. */
export interface WatchProjectParts {
  readonly environment: Environment;
  /** Opens the same project with its settings as they are by then. */
  readonly reopen: () => Promise<Project>;
}

/** Keeps a project's index in step with its files; the project itself stays open for its owner to close. */
export async function* watchProject(
  project: Project,
  { environment, reopen }: WatchProjectParts,
  options: WatchOptions,
): AsyncGenerator<WatchEvent> {
  const { watchFiles } = await import('../indexing/watch.ts');
  const { openLocalSource } = await import('./local-source.ts');
  const watched = (current: Project): Watched => ({
    folder: current.folder,
    source: openLocalSource(current.folder, current.settings, environment),
    settingsFiles: [current.folder, current.configFolder].map((folder) => join(folder, configFileName)),
    intervalSeconds: current.settings.watch.interval_seconds,
    // Making a graph takes minutes, in which changes are not to wait.
    pass: (passOptions) => current.index({ ...passOptions, prepare: 'background' }),
    close: async () => (current === project ? undefined : current.close()),
  });
  let isFirst = true;
  const open = async (): Promise<Watched> => {
    const current = isFirst ? project : await reopen();
    isFirst = false;
    return watched(current);
  };
  yield* watchFiles(open, options);
}
