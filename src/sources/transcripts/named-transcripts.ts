import type { Project } from '../../calls/project.ts';
import { agentOf, isConversation } from '../../core/documents/conversation.ts';
import { QuarryError } from '../../core/errors.ts';
import { type TranscriptAgent, transcriptAgents } from '../../drivers/sources/transcripts/agents.ts';
import { clearSessionCache } from '../../drivers/sources/transcripts/session-cache.ts';
import { sessionFiles } from '../../drivers/sources/transcripts/session-files.ts';
import { transcriptFolder } from '../../drivers/sources/transcripts/transcript-source.ts';
import { type Environment, processEnvironment } from '../../platform/environment.ts';
import { hasStateFolder } from '../../state-folder/state-folder.ts';
import { forgetSources, isAnySourceNamed, namedSources, nameSources } from '../../user/named-sources.ts';
import { homeOf, isOfThisMachine, openTranscripts, sessionCacheFolder } from './open-transcripts.ts';

/** Transcripts that a project reads, as they are now. */
export interface TranscriptsNamed {
  readonly agent: string;
  readonly title: string;
  readonly everywhere: boolean;
  readonly since: string;
  /** The folder with them. */
  readonly folder: string;
  /** Sessions that belong to the project, or to any folder; without those that other sessions began. */
  readonly sessions: number;
  readonly bytes: number;
}

type Named = Pick<Project, 'folder' | 'configFolder' | 'settings'>;

/** What is named for a project. */
export async function transcriptsOf(
  { folder, configFolder, settings }: Named,
  environment: Environment = processEnvironment,
): Promise<TranscriptsNamed[]> {
  const named = await namedSources(configFolder, folder);
  const counts = new Map<string, { sessions: number; bytes: number }>();
  if (named.length > 0)
    for await (const entry of openTranscripts(folder, settings, environment).scan()) {
      if (entry.kind !== 'file') continue;
      const agent = agentOf(entry.file.uri);
      const { sessions, bytes } = counts.get(agent) ?? { sessions: 0, bytes: 0 };
      counts.set(agent, { sessions: sessions + 1, bytes: bytes + entry.file.size });
    }
  return named.flatMap(({ agent: name, everywhere, givenAt }) => {
    const agent = transcriptAgents.find((one) => one.name === name);
    const { sessions = 0, bytes = 0 } = counts.get(name) ?? {};
    const place = agent && transcriptFolder(agent, homeOf(environment), environment);
    return agent && place !== undefined
      ? [{ agent: name, title: agent.title, everywhere, since: givenAt, folder: place, sessions, bytes }]
      : [];
  });
}

/** Names the transcripts of agents for a project: of these, or of all that have any on this machine. */
export async function nameTranscripts(
  { folder, configFolder, settings }: Named,
  agents: readonly string[],
  { everywhere, signal }: { readonly everywhere: boolean; readonly signal?: AbortSignal | undefined },
  environment: Environment = processEnvironment,
): Promise<void> {
  if (!isOfThisMachine(settings.store))
    throw new QuarryError(
      'usage-invalid',
      `The index of this project is kept in ${settings.store.driver}, where others may read it: no conversation is put there.`,
      'Name them for a project whose index is on this machine: store.driver = "sqlite".',
    );
  const wanted = agents.includes('transcripts')
    ? transcriptAgents
    : transcriptAgents.filter(({ name }) => agents.includes(name));
  const present: TranscriptAgent[] = [];
  for (const agent of wanted) if (await hasSessions(agent, environment)) present.push(agent);
  if (present.length === 0)
    throw new QuarryError(
      'usage-invalid',
      `There are no transcripts of ${wanted.map(({ title }) => title).join(', ')}: looked in ${wanted.map((agent) => transcriptFolder(agent, homeOf(environment), environment)).join(', ')}.`,
      'Name an agent that was used on this machine.',
    );
  await nameSources(
    configFolder,
    present.map(({ name }) => ({ project: folder, agent: name, everywhere })),
    signal,
  );
}

/** Takes transcripts back; what the index has of them is gone when this returns. */
export async function forgetTranscripts(
  project: Pick<Project, 'folder' | 'configFolder' | 'store' | 'remove'>,
  agents: readonly string[],
  signal: AbortSignal | undefined,
  environment: Environment = processEnvironment,
): Promise<{ agents: string[]; documents: number }> {
  const { folder, configFolder } = project;
  const wanted = agents.includes('transcripts') ? transcriptAgents.map(({ name }) => name) : agents;
  const gone = await forgetSources(configFolder, folder, wanted, signal);
  let documents = 0;
  if (hasStateFolder(folder)) {
    const all = await (await project.store()).documents({ types: ['conversation'] });
    const uris = all
      .map(({ uri }) => uri)
      .filter((uri) => isConversation(uri) && wanted.includes(agentOf(uri)));
    if (uris.length > 0) documents = await project.remove(...uris);
  }
  if (!(await isAnySourceNamed(configFolder))) await clearSessionCache(sessionCacheFolder(environment));
  return { agents: gone, documents };
}

async function hasSessions(agent: TranscriptAgent, environment: Environment): Promise<boolean> {
  const folder = transcriptFolder(agent, homeOf(environment), environment);
  return sessionFiles(folder, agent).then(
    ({ files }) => files.length > 0,
    // It was never used here.
    () => false,
  );
}
