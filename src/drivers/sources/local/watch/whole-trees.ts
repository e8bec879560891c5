import { type FSWatcher, watch } from 'node:fs';
import type { FolderEvent } from './folder-event.ts';
import { type FolderWatching, leavesGap } from './folder-watching.ts';

/** Watches each root as a whole, for macOS and Windows, and ignores what the walk leaves out. */
export function watchWholeTrees(report: (event: FolderEvent) => void): FolderWatching {
  const roots = new Map<string, { readonly watcher: FSWatcher; readonly round: number }>();
  const visited = new Map<string, number>();
  let round = 0;
  let refused = { folders: 0, cause: undefined as unknown };

  const watchRoot = (absolute: string, prefix: string): void => {
    const listen = (type: string, path: string | null): void => {
      const event = eventAt(prefix, path, type === 'rename');
      // Windows reports a folder as changed whenever something in it changes, in addition to the event of the entry.
      if (!event.isRename && visited.has(`${event.folder}${event.name}/`)) return;
      if (visited.has(event.folder)) report(event);
    };
    const before = roots.get(prefix)?.watcher;
    try {
      const watcher = watch(absolute, { persistent: false, recursive: true }, listen);
      watcher.on('error', () => report({ folder: prefix, name: null, isRename: true }));
      roots.set(prefix, { watcher, round });
    } catch (cause) {
      roots.delete(prefix);
      if (leavesGap(cause)) refused = { folders: refused.folders + 1, cause };
    }
    before?.close();
  };

  return {
    begin() {
      round += 1;
      refused = { folders: 0, cause: undefined };
    },
    visit({ absolute, uri, isRoot }) {
      visited.set(uri, round);
      if (isRoot) watchRoot(absolute, uri);
    },
    end(scope) {
      for (const [uri, last] of visited) {
        if (last !== round && (!scope || scope.holds(uri))) visited.delete(uri);
      }
      for (const [prefix, { watcher, round: last }] of roots) {
        if (last === round || scope) continue;
        watcher.close();
        roots.delete(prefix);
      }
      return refused.folders > 0 ? refused : undefined;
    },
    close() {
      for (const { watcher } of roots.values()) watcher.close();
      roots.clear();
      visited.clear();
    },
  };
}

/** The event at a path below a root, whichever slashes the system writes. */
function eventAt(prefix: string, path: string | null, isRename: boolean): FolderEvent {
  if (path === null) return { folder: prefix, name: null, isRename };
  const way = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  const slash = way.lastIndexOf('/') + 1;
  return { folder: prefix + way.slice(0, slash), name: way.slice(slash), isRename };
}
