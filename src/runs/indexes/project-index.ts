import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { DriverContext } from '../../contracts/driver.ts';
import type { Store } from '../../contracts/store.ts';
import { asQuarryError, leavesText, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { commit } from '../../index/commit.ts';
import { HeldLeases } from '../../index/held-leases.ts';
import { type Lease, takeLease } from '../../index/lease.ts';
import { closeAll } from '../../platform/close-all.ts';
import { once } from '../../platform/once.ts';
import { waitForLock } from '../../platform/sqlite/writer-lock.ts';
import type { Settings } from '../../settings/settings.ts';
import { indexFolder, removeLeftovers } from '../../state-folder/index-folders.ts';
import { removeSetAside, setAside, setAsideLockName, setAsideNames } from '../../state-folder/set-aside.ts';
import { folderList, type IndexList, sharedList } from './index-list.ts';

/** The lock file of the process that writes text. */
const lockName = 'writer.lock';
/** The lock file of the process that makes vectors, which may take hours: others ingest text meanwhile. */
const vectorsLockName = 'vectors.lock';
/** Whether a file is a lock, the next one of a paused holder, or the record of a lease. */
export function isLockFile(name: string): boolean {
  const [, lock = ''] = /^(?:client-)?(\w+\.lock)(?:-\d+|\.json)?$/.exec(name) ?? [];
  return [lockName, vectorsLockName, setAsideLockName].includes(lock);
}

/** Milliseconds after which an index that was replaced is closed. */
const restBeforeClosing = 30_000;

/** For so many milliseconds a caller that does not wait lets another end what it writes: mostly that is a file or two. */
const shortWait = 250;

/** How a lock is waited for. */
export interface LockWait {
  readonly wait: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The index of a project, and the locks of those who write it. */
export interface ProjectIndex {
  /** The index that answers, also after another process has replaced it. */
  store(): Promise<Store>;
  /**
   * Work that only one process may do at a time; others wait, or get `store-busy` after a moment where they cannot. It
   * may let the lock go before its end.
   */
  writing<Event, Result>(
    options: LockWait,
    work: (lock: Lease) => AsyncGenerator<Event, Result>,
  ): AsyncGenerator<Event | IndexEvent, Result>;
  /**
   * The making of vectors, which only one process does at a time. A caller that cannot wait, or whose `giveWay` signal
   * is aborted meanwhile, learns that another process does it.
   */
  makingVectors<Event, Result>(
    options: LockWait & { readonly giveWay?: AbortSignal | undefined },
    work: (isAlone: boolean) => AsyncGenerator<Event, Result>,
  ): AsyncGenerator<Event | IndexEvent, Result>;
  /** The index that is to take the place of the current one; the caller holds both locks. */
  candidate(): Candidate;
  /** Sets the index that answers aside, because something in it was not written by this user; a new one takes its place. */
  distrust(found: QuarryError): Promise<void>;
  /** What was set aside since this was last asked, for a user to know. */
  takeNotices(): QuarryError[];
  /** Removes what a previous layout or a killed process left in the state folder, and reports it; the caller holds the lock for text. */
  tidy(): AsyncGenerator<IndexEvent>;
  /** Removes indexes that do not answer, and leftovers; returns their names. */
  clean(): Promise<string[]>;
  /** Removes the index that answers too, after closing it; the caller holds both locks. */
  removeCurrent(): Promise<void>;
  close(): Promise<void>;
}

/** An index that may replace the current one; nobody else looks at it until it answers. */
export interface Candidate {
  /** Makes it, empty. */
  open(): Promise<Store>;
  /** Closes it and lets it answer from now on. The previous index goes with the next `tidy`. */
  answer(): Promise<void>;
  /** Removes it, unless it answers. */
  drop(): Promise<void>;
}

/** Opens nothing yet. */
export function createProjectIndex(
  settings: Settings,
  context: () => Promise<DriverContext>,
  /** Sees to it that the project and its state folder are there, before anything is written. */
  prepare: () => Promise<void>,
): ProjectIndex {
  const drivers = () => import('../../opening/open-driver.ts');
  const opened = new Map<string, Promise<Store>>();
  const held = new HeldLeases();
  const stateFolder = async (): Promise<string> => (await context()).stateFolder;
  const indexes = once(async (): Promise<IndexList> => {
    const { indexesOfStore, dropOutside } = await drivers();
    const shared = await indexesOfStore(settings, await context());
    if (shared) return sharedList(shared, await stateFolder());
    return folderList(await stateFolder(), async (name) => {
      const folder = join(await stateFolder(), name);
      // A link is no index of ours: it goes, and nothing behind it is looked at.
      if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
      await dropOutside(settings, { ...(await context()), stateFolder: folder });
    });
  });
  const contextOf = async (name: string): Promise<DriverContext> => {
    // Someone may have deleted the state folder since it was made.
    await prepare();
    return { ...(await context()), stateFolder: await indexFolder(await stateFolder(), name) };
  };
  const closeIndex = async (name: string): Promise<void> => {
    const present = opened.get(name);
    opened.delete(name);
    // One that could not be opened needs no closing; its user was told.
    await (await present?.catch(() => undefined))?.close();
  };
  const open = async (name: string): Promise<Store> => {
    const known = opened.get(name);
    const previous = await known;
    if (previous && previous.isInPlace?.() !== false) return previous;
    const own = await contextOf(name);
    // Somebody else was quicker.
    if (opened.get(name) !== known) return open(name);
    const begin = async (): Promise<Store> => {
      // Its folder was deleted, and perhaps made again, by someone else: what is open of it leads nowhere.
      await previous?.close();
      const { openStore } = await drivers();
      const openIt = async () => held.guard(await openStore(settings, own));
      return openIt().catch(async (thrown: unknown) => {
        if (isForeign(thrown)) return replaceForeign(name, openIt);
        if (existsSync(own.stateFolder)) throw thrown;
        // Another process removed everything meanwhile, as `clean` does.
        await contextOf(name);
        return openIt();
      });
    };
    const opening = begin();
    opened.set(name, opening);
    return opening.catch((thrown: unknown) => {
      if (opened.get(name) === opening) opened.delete(name);
      throw thrown;
    });
  };
  const store = async (): Promise<Store> => {
    const name = await (await indexes()).current();
    const present = await open(name).catch(asQuarryError);
    // Another process may have switched between the look and the opening, and removed what was opened.
    const now = await (await indexes()).current();
    if (now !== name) return store();
    if (present instanceof QuarryError) throw present;
    for (const other of opened.keys()) if (other !== name) retire(other);
    return present;
  };
  const notices: QuarryError[] = [];
  const withSetAsideLock = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const lock = await waitForLock(join(await stateFolder(), setAsideLockName), { beforeLook: prepare });
    try {
      return await work();
    } finally {
      lock.release();
    }
  };
  const moveAway = async (name: string, found: QuarryError): Promise<void> => {
    const apart = await (await drivers()).folderOfIndex(settings, await context(), name);
    const folder = apart ?? join(await stateFolder(), name);
    notices.push(await setAside(await stateFolder(), folder, found));
    await indexFolder(await stateFolder(), name);
  };
  /** Opens a new index in place of one that this user did not make. */
  const replaceForeign = (name: string, openIt: () => Promise<Store>): Promise<Store> =>
    withSetAsideLock(async () => {
      // Another process may have replaced it while the lock was waited for.
      const again = await openIt().catch(asQuarryError);
      if (!(again instanceof QuarryError)) return again;
      if (!isForeign(again)) throw again;
      await moveAway(name, again);
      return openIt();
    });
  /** A search that runs in a previous index continues undisturbed; later its file is closed. */
  const retire = (name: string): void => {
    const known = opened.get(name);
    if (retiring.has(name) || !known) return;
    retiring.add(name);
    setTimeout(() => {
      retiring.delete(name);
      if (opened.get(name) === known) void closeIndex(name);
    }, restBeforeClosing).unref();
  };
  const retiring = new Set<string>();
  /** Takes a lease, and emits an event where it has to wait; undefined where the caller does not wait. */
  const take = async function* (name: string, options: LockWait): AsyncGenerator<IndexEvent, Taken> {
    await prepare();
    const { openLease } = await drivers();
    // Before each look: the process that holds it may be removing the whole folder.
    const open = async () => openLease(settings, await context(), name, prepare);
    let holder: string | undefined;
    let lease = await takeLease(open, {
      onHeld: (name) => {
        holder = name;
      },
    });
    if (!lease && options.wait) {
      yield { type: 'index-waiting', ...(holder !== undefined && { holder }) };
      lease = await takeLease(open, options);
    }
    if (!lease) return undefined;
    const own = held.add(name, lease);
    // Before anything is read: what the previous holder has not committed by now, it does not commit any more.
    if (lease.isTakenOver)
      await store()
        .then((present) => commit(present, {}))
        .catch(async (thrown: unknown) => {
          // An index that cannot be written now is met again by the work itself.
          if (asQuarryError(thrown).code !== 'lock-lost') return;
          await own.release();
          throw thrown;
        });
    return own;
  };
  /** The same, giving up as soon as there is something else to do. */
  const takeUnless = async function* (
    name: string,
    { wait, signal, giveWay }: LockWait & { readonly giveWay?: AbortSignal | undefined },
  ): AsyncGenerator<IndexEvent, Taken> {
    const ends = [signal, giveWay].filter((end) => end !== undefined);
    try {
      return yield* take(name, { wait, signal: AbortSignal.any(ends) });
    } catch (thrown) {
      if (giveWay?.aborted && !signal?.aborted && asQuarryError(thrown).code === 'interrupted')
        return undefined;
      throw thrown;
    }
  };
  /** What cannot be removed now, because a server does not answer, goes with the next attempt. */
  const removeIfPossible = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    await held.confirm();
    await (await indexes()).remove(names, held.fences()).catch((thrown: unknown) => {
      if (!leavesText(asQuarryError(thrown))) throw thrown;
    });
  };
  const removeOthers = async (): Promise<string[]> => {
    const list = await indexes();
    const others = await list.others();
    await removeIfPossible(others);
    const kept = others.length > 0 ? await list.others() : [];
    const leftovers = await removeLeftovers(await stateFolder());
    return [...others.filter((name) => !kept.includes(name)), ...leftovers];
  };
  const removeForeign = async (): Promise<string[]> => {
    const names = await setAsideNames(await stateFolder());
    await removeSetAside(await stateFolder(), names);
    return names;
  };

  return {
    store,
    async *writing(options, work) {
      const { wait, signal } = options;
      const giveWay = wait ? undefined : AbortSignal.timeout(shortWait);
      const waited = yield* takeUnless(lockName, { wait: true, signal, giveWay });
      // A last look: this process may have been too busy to look in time.
      const lock = waited ?? (yield* take(lockName, { wait: false, signal }));
      if (!lock) throw busy();
      try {
        return yield* work(lock);
      } finally {
        await lock.release();
      }
    },
    async *makingVectors(options, work) {
      const lock = yield* takeUnless(vectorsLockName, options);
      try {
        return yield* work(lock !== undefined);
      } finally {
        await lock?.release();
      }
    },
    candidate() {
      let candidate: { readonly name: string; readonly store: Store } | undefined;
      return {
        async open() {
          const name = await (await indexes()).next();
          const opening = held.guard(await (await drivers()).openStore(settings, await contextOf(name)));
          candidate = { name, store: opening };
          return opening;
        },
        async answer() {
          if (!candidate) return;
          await candidate.store.close();
          await held.confirm();
          await (await indexes()).switchTo(candidate.name, held.fences());
          candidate = undefined;
        },
        async drop() {
          if (!candidate) return;
          await candidate.store.close();
          await removeIfPossible([candidate.name]);
          candidate = undefined;
        },
      };
    },
    async *tidy() {
      const names = await removeOthers();
      if (names.length > 0) yield { type: 'leftovers-removed', names };
    },
    clean: async () => [...(await removeOthers()), ...(await removeForeign())],
    distrust: (found) =>
      withSetAsideLock(async () => {
        const name = await (await indexes()).current();
        const present = await opened.get(name);
        // Another process, or another call, was quicker.
        if (!present || present.isInPlace?.() === false) return;
        await closeIndex(name);
        await moveAway(name, found);
      }),
    takeNotices: () => notices.splice(0),
    async removeCurrent() {
      const list = await indexes();
      const name = await list.current();
      await closeIndex(name);
      await list.remove([name], held.fences());
    },
    close: () => closeAll([...opened.keys()].map((name) => ({ close: () => closeIndex(name) }))),
  };
}

type Taken = Lease | undefined;

/** The error for a caller that cannot wait for another process. */
export function busy(): QuarryError {
  return new QuarryError(
    'store-busy',
    'Another process is bringing the index up to date.',
    'This answer comes from what is there already; ask again later for the rest.',
  );
}

/** The error for a command whose own settings would cut the documents another way, and that does not wait for that. */
export function otherSettings(): QuarryError {
  return new QuarryError(
    'store-busy',
    'The index was made with other settings than those of this command.',
    'This answer comes from the index as it is; to cut it by these, run: quarry index with the same flags.',
  );
}

/** Whether an error means that somebody else made the index, or changed it. */
export function isForeign(thrown: unknown): boolean {
  return asQuarryError(thrown).code === 'store-foreign';
}

/** Whether an error means that the index itself is beyond opening or reading. */
export function isDamaged(thrown: unknown): boolean {
  return asQuarryError(thrown).code === 'store-corrupt';
}
