import { isAbsolute, join } from 'node:path';
import type { Source, SourceEntry } from '../../contracts/source.ts';
import { type Environment, userCacheFolder, userConfigFolder } from '../../platform/environment.ts';
import { once } from '../../platform/once.ts';
import { isAddress } from '../../settings/check-project-file.ts';
import type { Settings } from '../../settings/settings.ts';
import { namedSources } from '../../user/named-sources.ts';

/** The sessions of agents that the user has named for a project; they come into an index of this machine alone. */
export function openTranscripts(
  folder: string,
  { store }: Pick<Settings, 'store'>,
  environment: Environment,
): Source {
  const named = () => namedSources(userConfigFolder(environment), folder);
  const open = once(async () => {
    const { redactSecrets } = await import('../../secrets/redact-secrets.ts');
    const { createTranscriptSource } = await import('../../drivers/sources/transcripts/transcript-source.ts');
    return createTranscriptSource({
      project: folder,
      home: homeOf(environment),
      environment,
      cacheFolder: sessionCacheFolder(environment),
      redact: (text) => redactSecrets(text).text,
      named,
    });
  });
  return {
    async *scan(options) {
      const agents = await named();
      if (agents.length === 0) return;
      if (isOfThisMachine(store)) yield* (await open()).scan(options);
      else for (const { agent } of agents) yield leftOut(agent);
    },
    read: async (uri) => (await open()).read(uri),
  };
}

function leftOut(agent: string): SourceEntry {
  const rule = 'the index is not on this machine alone';
  return { kind: 'skipped', skipped: { uri: `conversation:${agent}`, reason: 'unsupported', rule } };
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
