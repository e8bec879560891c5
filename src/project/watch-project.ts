import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Project, ProjectWatchOptions } from '../calls/project.ts';
import type { WatchEvent } from '../core/events.ts';
import type { Lookout, Watched } from '../indexing/watching/watched.ts';
import type { Environment } from '../platform/environment.ts';
import { settingsFilesOf } from '../settings/settings-files.ts';
import { hasStateFolder } from '../state-folder/state-folder.ts';

/** What a watch needs besides the project it is asked of. */
export interface WatchProjectParts {
  readonly environment: Environment;
  /** Opens the same project with its settings of that moment. */
  readonly reopen: () => Promise<Project>;
  /** Given at the beginning what tells of changes, and nothing at the end. */
  readonly onLookout: (lookout: Lookout | undefined) => void;
}

/**
 * Keeps a project's index in sync with its files. As long as its settings are those of the project it is asked of, it
 * works with that one, and shares its model; for other settings, or where nobody else uses that project, it opens one of
 * its own and closes that again. What was closed is never used again.
 */
export async function* watchProject(
  project: Project,
  { environment, reopen, onLookout }: WatchProjectParts,
  { isAlone = false, ...options }: ProjectWatchOptions,
): AsyncGenerator<WatchEvent> {
  const { watchFiles } = await import('../indexing/watching/watch.ts');
  const { followOthers } = await import('../indexing/watching/changes-of-others.ts');
  const { openSource } = await import('../sources/project-source.ts');
  const { folder, configFolder } = project;
  const others = followOthers(() => hasStateFolder(folder));
  let isOwnFiles = false;
  const open = async (): Promise<Watched> => {
    const own = await reopen();
    const isShared = !isAlone && isDeepStrictEqual(own.settings, project.settings);
    if (isShared) await own.close();
    isOwnFiles = isShared;
    const current = isShared ? project : own;
    const { index, watch } = current.settings;
    return {
      folder,
      source: openSource(folder, current.settings, environment),
      roots: [folder, ...index.roots.map((root) => resolve(folder, root))],
      intervalSeconds: watch.interval_seconds,
      // Making a graph takes minutes, in which changes are not to wait.
      pass: (passOptions) =>
        others.addTo(current.index({ ...passOptions, prepare: 'background' }), current.store),
      close: async () => {
        if (!isShared) await own.close();
      },
    };
  };
  const settingsFiles = settingsFilesOf(folder, configFolder);
  // Other settings may choose other files, of whose changes this project then learns nothing.
  const onStart = (lookout: Lookout): void =>
    onLookout({ changesSoFar: async () => (isOwnFiles ? lookout.changesSoFar() : undefined) });
  try {
    yield* watchFiles({ settingsFiles, open, onStart }, options);
  } finally {
    onLookout(undefined);
  }
}
