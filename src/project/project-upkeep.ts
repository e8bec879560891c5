import { keptFiles } from '../added/kept-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexState, Store } from '../contracts/store.ts';
import type { ProjectEmbedders } from '../opening/embedders/project-embedders.ts';
import type { Environment } from '../platform/environment.ts';
import type { ProjectRuns } from '../runs/index-runs.ts';
import type { CurrentIndex } from '../runs/indexes/current-index.ts';
import type { ProjectIndex } from '../runs/indexes/project-index.ts';
import type { Settings } from '../settings/settings.ts';
import { setAsideNames } from '../state-folder/set-aside.ts';
import { hasStateFolder, stateFolderOf } from '../state-folder/state-folder.ts';
import { unmeantFolder } from '../state-folder/wide-folder.ts';

/** What an index is looked at and looked after with. */
export interface UpkeepParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly index: ProjectIndex;
  readonly current: Pick<CurrentIndex, 'believed'>;
  readonly embedders: ProjectEmbedders;
  readonly runs: Pick<ProjectRuns, 'repair'>;
  /** Documents that are still cut as previous settings said. */
  readonly countStale: (store: Store, state: IndexState) => Promise<number>;
}

/** The calls that look at an index, repair it and remove it. Looking at a folder leaves no trace in it. */
export function createUpkeep(
  parts: UpkeepParts,
): Pick<Project, 'status' | 'verify' | 'repair' | 'clean' | 'manifest'> {
  const { folder, settings, environment, index, embedders, runs, countStale } = parts;
  const { believed } = parts.current;
  return {
    async status({ compare = true, signal } = {}) {
      const { changesOf } = await import('../runs/upkeep/project-changes.ts');
      const { emptyStatus, statusOf } = await import('../runs/upkeep/project-status.ts');
      return believed(async () => {
        const opened = hasStateFolder(folder) ? await index.store() : undefined;
        // Compared first: a run that ends meanwhile then makes the counts newer than the comparison, never older.
        // To count the files of a whole disk takes as long as to walk it.
        const incomparable = opened ? undefined : unmeantFolder(folder, environment);
        const changes =
          compare &&
          (incomparable
            ? { incomparable }
            : await changesOf({ folder, settings, environment, store: opened, signal }));
        const status = opened
          ? await statusOf(folder, opened, embedders, settings, countStale)
          : emptyStatus(folder, settings.embedder.driver);
        return { ...status, ...changes, setAside: await setAsideNames(stateFolderOf(folder)) };
      });
    },
    async *verify({ signal } = {}) {
      const { verifyIndex } = await import('../runs/upkeep/index-soundness.ts');
      if (hasStateFolder(folder)) yield* verifyIndex(index, signal);
      const { damagedFiles } = await import('../added/kept-soundness.ts');
      for await (const { defect } of damagedFiles({ folder, environment }, signal)) yield defect;
    },
    repair: ({ signal } = {}) => runs.repair(signal),
    async clean({ all = false } = {}) {
      const { cleanState } = await import('../runs/upkeep/index-upkeep.ts');
      const report = hasStateFolder(folder)
        ? await believed(() => cleanState(index, { folder, environment }, all))
        : { removed: [], bytes: 0 };
      return { ...report, kept: (await keptFiles(folder)).length };
    },
    async manifest({ chunks = false } = {}) {
      if (!hasStateFolder(folder)) return [];
      const { listManifest } = await import('../runs/upkeep/index-upkeep.ts');
      return believed(async () => listManifest(await index.store(), chunks));
    },
  };
}
