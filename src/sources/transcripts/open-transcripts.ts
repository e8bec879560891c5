import { isAbsolute, join } from 'node:path';
import type { Source } from '../../contracts/source.ts';
import { createTranscriptSource } from '../../drivers/sources/transcripts/transcript-source.ts';
import { type Environment, userCacheFolder, userConfigFolder } from '../../platform/environment.ts';
import { redactSecrets } from '../../secrets/redact-secrets.ts';
import { isAddress } from '../../settings/check-project-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { namedSources } from '../../user/named-sources.ts';

/** The sessions of agents that the user has named for a project; they come into an index of this machine alone. */
export function openTranscripts(
  folder: string,
  { store }: Pick<Settings, 'store'>,
  environment: Environment,
): Source {
  const configFolder = userConfigFolder(environment);
  const sessions = createTranscriptSource({
    project: folder,
    home: homeOf(environment),
    environment,
    cacheFolder: sessionCacheFolder(environment),
    redact: (text) => redactSecrets(text).text,
    named: () => namedSources(configFolder, folder),
  });
  if (isOfThisMachine(store)) return sessions;
  return {
    ...sessions,
    async *scan() {
      for (const { agent } of await namedSources(configFolder, folder))
        yield {
          kind: 'skipped',
          skipped: {
            uri: `conversation:${agent}`,
            reason: 'unsupported',
            rule: 'the index is not on this machine alone',
          },
        };
    },
  };
}

/** Whether an index is a file of this machine, that nobody else reads or writes. */
export function isOfThisMachine({ driver, url }: Settings['store']): boolean {
  return (
    ['sqlite', 'memory', 'lancedb'].includes(driver) &&
    (url === undefined || (!isAddress(url) && isAbsolute(url)))
  );
}

/** Where sessions are kept as far as they were read. */
export function sessionCacheFolder(environment: Environment): string {
  return join(userCacheFolder(environment), 'sessions');
}

/** The home of the user whose environment it is. */
export function homeOf(environment: Environment): string {
  return environment('HOME') ?? environment('USERPROFILE') ?? '/';
}
