import { connect } from '../../client/index.ts';
import { serverInUse } from '../../client/server-address.ts';
import { openServerNames } from '../../client/server-names.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { askThrough } from './client-host.ts';
import type { Host, OfferedProject } from './host.ts';
import { type PushJob, startPush } from './push-job.ts';

/**
 * Asks a server elsewhere: its projects, as far as the token allows, and the folder that is open here under its name there.
 * To index that one is to push it. Nothing is loaded or indexed here.
 */
export function createRemoteHost(
  url: string,
  token: string | undefined,
  workspaces: () => Promise<readonly OfferedProject[]>,
): Host {
  const client = connect(url, token === undefined ? {} : { token });
  const ask = askThrough({ client, prepare: async ({ id }) => id });
  const pushes = new Map<string, PushJob>();
  const names = openServerNames(processEnvironment);
  /** By folder: a name that was given out stays valid for as long as this runs, whatever else is opened. */
  let given: ReadonlyMap<string, string> = new Map();
  return {
    ...ask,
    async projects(signal) {
      const { projects } = (await client.request('GET', '/v1/projects', undefined, signal)) as {
        projects: { id: string }[];
      };
      const folders = (await workspaces()).flatMap(({ folder }) => folder ?? []);
      // Two folders of one name are two projects there too.
      given = await names.namesOf(serverInUse(processEnvironment, url)?.url ?? url, folders, given);
      const open = folders.map((folder) => {
        const id = given.get(folder) ?? '';
        return { id, name: id, folder };
      });
      const others = projects.filter(({ id }) => !open.some((workspace) => workspace.id === id));
      return [...open, ...others.map(({ id }) => ({ id, name: id }))];
    },
    async startJob(project, operation, input) {
      const { id, folder } = project;
      if (operation !== 'index' || folder === undefined) return ask.startJob(project, operation, input);
      const name = `push-${pushes.size + 1}`;
      pushes.set(name, startPush({ url, project: id, folder }));
      return name;
    },
    job: async (id) => pushes.get(id)?.state() ?? ask.job(id),
    async cancelJob(id) {
      const push = pushes.get(id);
      if (push) push.cancel();
      else await ask.cancelJob(id);
    },
    notes: () => [`The projects are on ${new URL(url).origin}.`],
  };
}
