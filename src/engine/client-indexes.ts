import type { LeaseRecord } from '../contracts/leases.ts';
import type { Store } from '../contracts/store.ts';
import { closeAll } from '../platform/close-all.ts';
import type { Environment } from '../platform/environment.ts';
import { clientLease, openClientIndex } from '../runs/indexes/client-index.ts';
import { folderList } from '../runs/indexes/index-list.ts';
import { ensureStateFolder } from '../state-folder/state-folder.ts';
import type { ProjectEntry } from '../user/project-entry.ts';

/** Indexes that stay open without use. */
const maxIdle = 16;

/** Indexes that this engine keeps for clients, which read, cut and embed their files themselves. */
export interface ClientIndexes {
  /** Works with an index, which is opened if need be and stays open meanwhile. */
  use<Result>(entry: ProjectEntry, name: string, work: (store: Store) => Promise<Result>): Promise<Result>;
  /** The name of the index that answers, and of all that are there. */
  list(entry: ProjectEntry): Promise<{ readonly current: string; readonly names: readonly string[] }>;
  /** The lease of this name, for those who write the indexes of a project. */
  lease(entry: ProjectEntry, name: string): Promise<LeaseRecord>;
  /** Lets another index answer. */
  switchTo(entry: ProjectEntry, name: string): Promise<void>;
  /** Removes indexes when those who work with them are done. */
  remove(entry: ProjectEntry, names: readonly string[]): Promise<void>;
  /** Closes indexes that have not been used for so many milliseconds, and those beyond the most that stay open. */
  closeIdle(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

interface OpenIndex {
  readonly store: Promise<Store>;
  users: number;
  lastUsed: number;
  /** Called when the last user of an index that is to be closed has left. */
  onUnused?: () => void;
}

/** No indexes yet. */
export function createClientIndexes(environment: Environment): ClientIndexes {
  /** Those that can be used; one that is to be closed is not among them, and is opened again for a caller that needs it. */
  const opened = new Map<string, OpenIndex>();
  /** Indexes whose files are being removed: who wants one waits. */
  const removing = new Map<string, Promise<void>>();
  const keyOf = ({ folder }: ProjectEntry, name: string): string => `${folder}\n${name}`;
  const listOf = async ({ folder }: ProjectEntry) => folderList(await ensureStateFolder(folder));

  const obtain = (entry: ProjectEntry, name: string): OpenIndex => {
    const key = keyOf(entry, name);
    const held = opened.get(key);
    if (held) return held;
    const index = { store: openClientIndex(entry.folder, name, environment), users: 0, lastUsed: 0 };
    opened.set(key, index);
    index.store.catch(() => {
      // An opening that failed is not remembered.
      if (opened.get(key) === index) opened.delete(key);
    });
    return index;
  };
  /** Closes an index when nobody uses it any more. */
  const closeOne = async (key: string): Promise<void> => {
    const held = opened.get(key);
    if (!held) return;
    opened.delete(key);
    // One that could not be opened needs no closing; its user was told.
    const store = await held.store.catch(() => undefined);
    if (held.users > 0)
      await new Promise<void>((resolve) => {
        held.onUnused = resolve;
      });
    await store?.close();
  };

  return {
    async use(entry, name, work) {
      for (let gone = removing.get(keyOf(entry, name)); gone; gone = removing.get(keyOf(entry, name)))
        await gone;
      const index = obtain(entry, name);
      index.users += 1;
      try {
        return await work(await index.store);
      } finally {
        index.users -= 1;
        index.lastUsed = performance.now();
        if (index.users === 0) index.onUnused?.();
      }
    },
    async list(entry) {
      const list = await listOf(entry);
      const current = await list.current();
      return { current, names: [...(await list.others()), current] };
    },
    lease: ({ folder }, name) => clientLease(folder, name),
    async switchTo(entry, name) {
      await (await listOf(entry)).switchTo(name);
    },
    async remove(entry, names) {
      const keys = names.map((name) => keyOf(entry, name));
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      for (const key of keys) removing.set(key, gone);
      try {
        await closeAll(keys.map((key) => ({ close: () => closeOne(key) })));
        await (await listOf(entry)).remove(names);
      } finally {
        for (const key of keys) if (removing.get(key) === gone) removing.delete(key);
        resolve();
      }
    },
    async closeIdle(milliseconds) {
      const now = performance.now();
      const free = [...opened]
        .filter(([, { users }]) => users === 0)
        .sort(([, one], [, other]) => one.lastUsed - other.lastUsed);
      const surplus = free.length - maxIdle;
      const old = free.filter(([, { lastUsed }], at) => at < surplus || now - lastUsed > milliseconds);
      // All at once: while one was waited for, another could be in use again.
      await closeAll(old.map(([key]) => ({ close: () => closeOne(key) })));
    },
    close: () => closeAll([...opened.keys()].map((key) => ({ close: () => closeOne(key) }))),
  };
}
