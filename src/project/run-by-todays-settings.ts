import type { Project } from '../calls/project.ts';
import { interrupted } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { ProjectRuns } from '../runs/index-runs.ts';
import type { SettingsInUse } from '../runs/settings-in-use.ts';
import type { Settings } from '../settings/settings.ts';

/** What a run is made with. */
export interface TodaysRunParts {
  readonly runs: Pick<ProjectRuns, 'sync'>;
  readonly settings: Settings;
  readonly inUse: SettingsInUse;
  /** Opens the same project by the settings of today. */
  readonly reopen: () => Promise<Project>;
}

/** Brings the index up to date by the settings of today: those that a project was opened with must not win over them. */
export async function* runByTodaysSettings(
  { runs, settings, inUse, reopen }: TodaysRunParts,
  options: Parameters<ProjectRuns['sync']>[0],
): AsyncGenerator<IndexEvent> {
  const { signal } = options;
  if (signal?.aborted) throw interrupted(signal.reason);
  if (!(await inUse.isOutdated())) {
    const { checkEmbedders } = await import('../opening/open-driver.ts');
    await checkEmbedders(settings);
    return yield* runs.sync(options);
  }
  const today = await reopen();
  try {
    const { chosen: _, ...others } = options;
    // Those of today may choose other files.
    yield* today.index({ ...others, prepare: 'never' });
  } finally {
    await today.close();
  }
}
