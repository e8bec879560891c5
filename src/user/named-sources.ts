import { join } from 'node:path';
import { z } from 'zod';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';

const sourceSchema = z.object({
  /** The folder of the project. */
  project: z.string(),
  /** Whose transcripts are read. */
  agent: z.string(),
  /** Of all folders, not only of the project's. */
  everywhere: z.boolean(),
  givenAt: z.string(),
});
const fileSchema = z.object({ sources: z.array(sourceSchema) });

/** What a user has named for one project, beside its files. No file of a project can name it. */
export type NamedSource = z.output<typeof sourceSchema>;

/** Its name in the user's folder of settings. */
export const sourcesFileName = 'sources.json';

/** The sources of one project. */
export async function namedSources(configFolder: string, project: string): Promise<NamedSource[]> {
  const all = await recordIn(configFolder).read();
  return all.filter((source) => source.project === project);
}

/** Names sources for a project; one that was named before is changed. */
export async function nameSources(
  configFolder: string,
  named: readonly Omit<NamedSource, 'givenAt'>[],
  signal?: AbortSignal,
): Promise<void> {
  const givenAt = new Date().toISOString();
  const isNamed = (source: NamedSource) =>
    named.some(({ project, agent }) => project === source.project && agent === source.agent);
  await recordIn(configFolder).change(
    (sources) => [
      ...sources.filter((source) => !isNamed(source)),
      ...named.map((source) => ({ ...source, givenAt })),
    ],
    signal,
  );
}

/** Takes sources of a project back; returns whose they were. */
export async function forgetSources(
  configFolder: string,
  project: string,
  agents: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  let gone: string[] = [];
  await recordIn(configFolder).change((sources) => {
    const isMeant = (source: NamedSource) => source.project === project && agents.includes(source.agent);
    gone = sources.filter(isMeant).map(({ agent }) => agent);
    return gone.length > 0 ? sources.filter((source) => !isMeant(source)) : sources;
  }, signal);
  return gone;
}

/** Whether any project has a source. */
export async function isAnySourceNamed(configFolder: string): Promise<boolean> {
  return (await recordIn(configFolder).read()).length > 0;
}

function recordIn(configFolder: string): UserRecord<readonly NamedSource[]> {
  return openUserRecord(join(configFolder, sourcesFileName), {
    name: 'The record of the sources you named',
    remedy: 'Correct or delete the file; without it no transcript is read.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).sources,
    write: (sources) => `${JSON.stringify({ sources }, null, 2)}\n`,
  });
}
