import type { ProjectHistory } from '../../calls/project.ts';
import { isVirtual } from '../../core/document.ts';
import { isCommit } from '../../core/documents/commit.ts';
import { QuarryError } from '../../core/errors.ts';
import { openGitView } from '../../drivers/sources/history/git-view.ts';
import { lastCommitsOf } from '../../drivers/sources/history/last-commits.ts';
import { locateRepository } from '../../drivers/sources/history/repository.ts';
import { type Environment, userConfigFolder } from '../../platform/environment.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import { redactSecrets } from '../../secrets/redact-secrets.ts';
import type { Settings } from '../../settings/settings.ts';
import { allowHistory } from '../../user/history-consent.ts';
import { openSource } from '../project-source.ts';
import { allowedCommits } from './allowed-commits.ts';

/** What is worked with. */
export interface HistoryParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
}

/** Commits of a place that are listed by default. */
const defaultLimit = 5;

/** Nothing is run before it is asked for and allowed. */
export function createProjectHistory({
  folder,
  settings,
  environment,
}: HistoryParts): Omit<ProjectHistory, 'isAllowed'> {
  const inTurn = createSerialQueue();
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
    lastCommits: (uri, { lines, limit = defaultLimit, signal } = {}) =>
      // One at a time, however many ask.
      inTurn(async () => {
        if ((await allowedCommits(folder, settings, environment)) === 0) throw notAllowed();
        const repository = isVirtual(uri) || isCommit(uri) ? undefined : await locateRepository(folder);
        if (!repository) return { commits: [], uncommitted: [] };
        const view = await openGitView(repository, { project: folder, environment });
        const source = openSource(folder, settings, environment);
        // Read first: what leads out of the project, or is left out, is refused.
        const text = Buffer.from(await source.read(uri)).toString('utf8');
        const place = { path: uri, ...(lines && { lines: { range: lines, text } }) };
        const found = await lastCommitsOf(view, repository, place, limit, signal);
        const shown = (said: string) => (settings.index.redact_secrets ? redactSecrets(said).text : said);
        return {
          ...found,
          commits: found.commits.map((one) => ({
            ...one,
            subject: shown(one.subject),
            author: shown(one.author),
          })),
        };
      }),
  };
}

function notAllowed(): QuarryError {
  return new QuarryError(
    'trust-missing',
    'Git may not be run to read the commits of this folder.',
    'Allow it on the machine that has the folder: quarry index --history',
  );
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
