import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PushEvent } from '../../../core/events.ts';
import { observe, resultOf } from '../../../platform/streams.ts';
import { openProject } from '../../../project/open-project.ts';
import { type PushOptions, pushFolder } from '../../../push/push-project.ts';
import type { Sent } from '../../../streaming/send-files.ts';

/** A laptop: a folder with files, and a home of its own. */
export async function createLaptop(home: string, files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = await mkdtemp(join(home, 'laptop-'));
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  for (const [path, content] of Object.entries(files)) await write(path, content);
  const variables: Record<string, string> = {
    HOME: join(folder, '.home'),
    QUARRY_RESOURCES_THREADS: '1',
  };
  const environment = (name: string) => variables[name];
  return {
    folder,
    write,
    remove: (path: string) => rm(join(folder, path)),
    /** Pushes to a server, and returns what came of it with the events on the way. */
    async push(
      url: string,
      { onEvent, ...options }: Partial<PushOptions> & { onEvent?: (event: PushEvent) => void } = {},
    ): Promise<Sent & { events: PushEvent[] }> {
      const project = await openProject(folder, { environment });
      const events: PushEvent[] = [];
      try {
        const work = pushFolder(
          { folder, settings: project.settings, environment, cacheFolder: project.cacheFolder },
          { server: { url }, project: 'notes', gzip: false, client: 'test', ...options },
        );
        const sent = await resultOf(
          observe(work, (event) => {
            events.push(event);
            onEvent?.(event);
          }),
        );
        return { ...sent, events };
      } finally {
        await project.close();
      }
    },
  };
}
