import { type Environment, userConfigFolder } from '../../platform/environment.ts';
import type { Settings } from '../../settings/settings.ts';
import { isHistoryAllowed } from '../../user/history-consent.ts';

/** Commits that are read where the user has allowed it and no setting says how many. */
const defaultCommits = 10_000;

/** How many commits of a folder the user lets git read; 0 where git is not to be run at all. */
export async function allowedCommits(
  folder: string,
  { history: { commits } }: Pick<Settings, 'history'>,
  environment: Environment,
): Promise<number> {
  // A setting of the project's file counts only where the user trusts it.
  if (commits !== undefined) return commits;
  return (await isHistoryAllowed(userConfigFolder(environment), folder)) ? defaultCommits : 0;
}
