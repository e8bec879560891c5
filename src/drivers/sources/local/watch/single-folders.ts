import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';
import { countEvent, whenQueueFills } from './event-queue.ts';
import type { FolderEvent } from './folder-event.ts';
import { type FolderWatching, leavesGap } from './folder-watching.ts';

/** Watches folder by folder, for Linux: what the walk leaves out costs nothing. */
export function watchSingleFolders(report: (event: FolderEvent) => void): FolderWatching {
  const watched = new Map<string, { readonly watcher: FSWatcher; readonly round: number }>();
  let round = 0;
  let refused = { folders: 0, cause: undefined as unknown };

  const isFull = (): void => report({ folder: '', name: null, isRename: true });
  const leaveQueue = whenQueueFills(isFull);

  const forget = (uri: string): void => {
    watched.get(uri)?.watcher.close();
    watched.delete(uri);
  };

  return {
    begin() {
      round += 1;
      refused = { folders: 0, cause: undefined };
    },
    visit({ absolute, uri }) {
      const own = basename(absolute);
      const listen = (type: string, name: string | null): void => {
        countEvent();
        report({ folder: uri, name, isRename: type === 'rename' });
        // A folder that is removed or moved is reported under its own name, and maybe never again.
        if (name === own && type === 'rename') report({ folder: uri, name: null, isRename: true });
      };
      const before = watched.get(uri)?.watcher;
      try {
        const watcher = watch(absolute, { persistent: false }, listen);
        watcher.on('error', () => report({ folder: uri, name: null, isRename: true }));
        watched.set(uri, { watcher, round });
      } catch (cause) {
        watched.delete(uri);
        if (leavesGap(cause)) refused = { folders: refused.folders + 1, cause };
      }
      // Closed after the new one is open, so that no event is lost.
      before?.close();
    },
    end(scope) {
      for (const [uri, { round: visited }] of watched) {
        if (visited !== round && (!scope || scope.holds(uri))) forget(uri);
      }
      return refused.folders > 0 ? refused : undefined;
    },
    close() {
      leaveQueue();
      for (const uri of [...watched.keys()]) forget(uri);
    },
  };
}
