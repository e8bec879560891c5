import { connect } from '../../client/index.ts';
import { askThrough } from './client-host.ts';
import type { Host } from './host.ts';

/** Asks a server elsewhere: its projects, as far as the token allows. Nothing is loaded or indexed here. */
export function createRemoteHost(url: string, token: string | undefined): Host {
  const client = connect(url, token === undefined ? {} : { token });
  return {
    ...askThrough({ client, prepare: async ({ id }) => id }),
    async projects(signal) {
      const { projects } = (await client.request('GET', '/v1/projects', undefined, signal)) as {
        projects: { id: string }[];
      };
      return projects.map(({ id }) => ({ id, name: id }));
    },
    notes: () => [`The projects are on ${new URL(url).origin}.`],
  };
}
