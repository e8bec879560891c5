import { join, resolve } from 'node:path';
import type { IndexEvent, PushEvent } from '../core/events.ts';
import { watchFiles } from '../indexing/watching/watch.ts';
import { resultOf } from '../platform/streams.ts';
import { configFileName } from '../settings/config-file-name.ts';
import type { Settings } from '../settings/settings.ts';
import { openSource } from '../sources/project-source.ts';
import type { Sent } from '../streaming/send-files.ts';
import { type PushedFolder, type PushOptions, pushFolder } from './push-project.ts';

/** What a watch needs besides the folder. */
export interface WatchPushParts extends Omit<PushedFolder, 'settings'> {
  readonly configFolder: string;
  /** The settings of this moment. */
  readonly readSettings: () => Promise<Settings>;
}

/** Pushes whenever files change, until it is stopped. What fails is tried again. */
export async function* watchPush(
  { configFolder, readSettings, ...pushed }: WatchPushParts,
  options: PushOptions,
  onSent: (sent: Sent) => void,
): AsyncGenerator<PushEvent> {
  const { folder, environment } = pushed;
  yield* watchFiles(
    {
      settingsFiles: [folder, configFolder].map((place) => join(place, configFileName)),
      async open() {
        const settings = await readSettings();
        const pass = async function* ({
          only,
          signal,
        }: Pick<PushOptions, 'only' | 'signal'>): AsyncGenerator<IndexEvent> {
          const events: IndexEvent[] = [];
          const work = pushFolder({ ...pushed, settings }, { ...options, only, signal });
          const sent = await resultOf(work, (event) => {
            if (isOfRun(event)) events.push(event);
          });
          onSent(sent);
          yield* events;
        };
        return {
          folder,
          source: openSource(folder, settings, environment),
          roots: [folder, ...settings.index.roots.map((root) => resolve(folder, root))],
          intervalSeconds: settings.watch.interval_seconds,
          pass,
          close: async () => undefined,
        };
      },
    },
    { signal: options.signal },
  );
}

/** Whether an event is of the server's run, or of a file here; those of the connection are not for a watch. */
function isOfRun(event: PushEvent): event is IndexEvent {
  return !event.type.startsWith('push-') && event.type !== 'files-sent';
}
