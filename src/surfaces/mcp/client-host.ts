import type { Client } from '../../client/client.ts';
import { QuarryError } from '../../core/errors.ts';
import type { Host, JobState, OfferedProject } from './host.ts';

/** A client, and how it comes back where its server has ended or has forgotten the project. */
export interface HostClient {
  readonly client: Client;
  /** Sees to it that the server runs and knows the project; returns the id it has there. */
  prepare(project: OfferedProject): Promise<string>;
}

/** The part of a host that asks a server: calls and jobs. A call that found no server is made once more. */
export function askThrough({
  client,
  prepare,
}: HostClient): Pick<Host, 'call' | 'startJob' | 'job' | 'cancelJob'> {
  const ids = new Map<string, string>();
  const prepareEach = async (project: OfferedProject): Promise<string> => {
    if (!project.members) return prepare(project);
    const parts: string[] = [];
    for (const member of project.members) parts.push(`${member.cited}=${await prepare(member)}`);
    return parts.join(',');
  };
  const withProject = async <Result>(
    project: OfferedProject,
    ask: (id: string) => Promise<Result>,
  ): Promise<Result> => {
    const known = ids.get(project.id);
    try {
      if (known !== undefined) return await ask(known);
    } catch (thrown) {
      if (!isLost(thrown)) throw thrown;
    }
    const id = await prepareEach(project);
    ids.set(project.id, id);
    return ask(id);
  };
  return {
    call: async (project, operation, input, options) =>
      withProject(project, async (id) => (await client.call(id, operation, input, options)).result),
    startJob: (project, operation, input) =>
      withProject(project, async (id) => {
        const path = `/v1/projects/${encodeURIComponent(id)}/${operation}?background=yes`;
        return ((await client.request('POST', path, input)) as { id: string }).id;
      }),
    job: async (id) => (await client.request('GET', `/v1/jobs/${encodeURIComponent(id)}`)) as JobState,
    async cancelJob(id) {
      await client.request('DELETE', `/v1/jobs/${encodeURIComponent(id)}`);
    },
  };
}

/** Whether the server has ended, or was restarted and has forgotten what it was told. */
function isLost(thrown: unknown): boolean {
  return (
    thrown instanceof QuarryError &&
    // Where the answer was lost, the question may be asked again: what a model asks for reads, or brings an index up to date.
    ['server-unreachable', 'answer-lost', 'project-not-found', 'version-mismatch'].includes(thrown.code)
  );
}
