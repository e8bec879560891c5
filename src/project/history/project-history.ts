import { QuarryError } from '../../core/errors.ts';
import { openGitView } from '../../drivers/sources/history/git-view.ts';
import { locateRepository } from '../../drivers/sources/history/repository.ts';
import { type Environment, userConfigFolder } from '../../platform/environment.ts';
import { allowHistory } from '../../user/history-consent.ts';
import type { Settings } from '../settings/settings.ts';

/** The commits of a project, beyond those in its index. */
export interface ProjectHistory {
  /** Whether git may be run to read the commits of this folder. */
  isAllowed(): Promise<boolean>;
  /**
   * Agrees that git reads them, or takes that back; the next run follows it. Rejects where there is no git, or no repository that
   * is safe to read.
   */
  allow(isAllowed: boolean, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

/** What is worked with. */
export interface HistoryParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
}

/** Nothing is run before it is asked for and allowed. */
export function createProjectHistory({
  folder,
  settings,
  environment,
}: HistoryParts): Omit<ProjectHistory, 'isAllowed'> {
  return {
    async allow(isAllowed, { signal } = {}) {
      if (isAllowed) {
        const repository = await locateRepository(folder);
        if (!repository) throw noRepository(folder);
        await openGitView(repository, { project: folder, environment });
        if (settings.history.commits === 0) throw turnedOff();
      }
      await allowHistory(userConfigFolder(environment), folder, isAllowed, signal);
    },
  };
}

function noRepository(folder: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `There is no git repository around ${folder}.`,
    'Run it in a folder whose files git keeps, or without --history.',
  );
}

function turnedOff(): QuarryError {
  return new QuarryError(
    'config-invalid',
    'The settings say history.commits = 0: no commit is indexed.',
    'Set history.commits to how many you want, or remove it.',
  );
}
