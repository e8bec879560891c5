import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';

/**
 * A project whose client indexes its files: here it is searched and looked at. Bringing it up to date with its folder,
 * which is empty, would forget all of it.
 */
export function remoteProject(project: Project): Project {
  return {
    ...project,
    search: (query, options) => project.search(query, { ...options, update: false }),
    status: (options) => project.status({ ...options, compare: false }),
    freshen: () => project.freshen({ update: false }),
    index: refusedStream,
    watch: refusedStream,
    repair: refusedStream,
    add: refused,
    remove: refused,
    clean: refused,
  };
}

async function refused(): Promise<never> {
  throw new QuarryError(
    'usage-invalid',
    'The files of this project are indexed by a client, and this server only keeps the index.',
    'Run it on the machine that has the files.',
  );
}

// biome-ignore lint/correctness/useYield: it only fails.
async function* refusedStream(): AsyncGenerator<never, never> {
  return refused();
}
