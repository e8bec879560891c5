import { join } from 'node:path';
import type { DriverContext } from '../contracts/driver.ts';
import type { Store } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { tryLock, type WriterLock, waitForLock } from '../platform/writer-lock.ts';
import {
  currentIndex,
  indexFolder,
  nextIndex,
  otherIndexes,
  removeIndexes,
  switchIndex,
} from './index-folders.ts';
import type { Settings } from './settings.ts';

/** The fact that names how the documents of an index were read and cut. */
const recipeFact = 'recipe';

/** Where a run writes to. */
export interface WritingTarget {
  readonly store: Store;
  /** Whether it is built beside the index that answers, which is then to be replaced by it. */
  readonly isBeside: boolean;
}

/** The index of a project: one that answers, and while its settings change another one that is being built. */
export interface ProjectIndex {
  /** The index that answers, also after another process has replaced it. */
  store(): Promise<Store>;
  /** Work that only one process may do at a time; others wait, or are told `store-busy` where they cannot. */
  writing<Event, Result>(
    options: { readonly wait: boolean; readonly signal?: AbortSignal | undefined },
    work: () => AsyncGenerator<Event, Result>,
  ): AsyncGenerator<Event | IndexEvent, Result>;
  /** The index to write documents of this recipe into. */
  target(recipe: string): Promise<WritingTarget>;
  /** Lets what was built beside answer from now on. */
  replace(target: WritingTarget): Promise<void>;
  /** Sets the index aside that cannot be opened, so that the next one starts empty. */
  discard(): Promise<void>;
  /** Removes indexes that no longer answer; returns their names. */
  clean(): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function createProjectIndex(settings: Settings, context: () => Promise<DriverContext>): ProjectIndex {
  const drivers = () => import('./open-driver.ts');
  const opened = new Map<string, Promise<Store>>();
  const stateFolder = async (): Promise<string> => (await context()).stateFolder;
  const contextOf = async (name: string): Promise<DriverContext> => ({
    ...(await context()),
    stateFolder: await indexFolder(await stateFolder(), name),
  });
  const open = (name: string): Promise<Store> => {
    const present =
      opened.get(name) ??
      contextOf(name)
        .then(async (own) => (await drivers()).openStore(settings, own))
        .catch((thrown: unknown) => {
          opened.delete(name);
          throw thrown;
        });
    opened.set(name, present);
    return present;
  };
  const store = async (): Promise<Store> => open(await currentIndex(await stateFolder()));
  const closeIndex = async (name: string): Promise<void> => {
    const present = opened.get(name);
    opened.delete(name);
    await (await present?.catch(() => undefined))?.close();
  };

  return {
    store,
    async *writing(options, work) {
      const path = join(await stateFolder(), 'writer.lock');
      let lock: WriterLock | undefined = await tryLock(path);
      if (!lock && !options.wait) throw busy();
      if (!lock) {
        yield { type: 'index-waiting' };
        lock = await waitForLock(path, { signal: options.signal });
      }
      try {
        return yield* work();
      } finally {
        lock.release();
      }
    },
    async target(recipe) {
      const name = await currentIndex(await stateFolder());
      const current = await open(name);
      const made = await current.fact(recipeFact);
      if (made === recipe || (await current.isEmpty())) {
        if (made !== recipe) await current.setFact(recipeFact, recipe);
        return { store: current, isBeside: false };
      }
      const next = nextIndex(name);
      const begun = await beginBeside(next);
      if (!begun) return { store: current, isBeside: false };
      return { store: begun, isBeside: true };

      /** Goes on with what was begun for this recipe, or begins with a copy; undefined where nothing can be copied. */
      async function beginBeside(beside: string): Promise<Store | undefined> {
        const others = await otherIndexes(await stateFolder());
        if (others.includes(beside)) {
          const begun = await open(beside).catch(() => undefined);
          if ((await begun?.fact(recipeFact).catch(() => undefined)) === recipe) return begun;
          await closeIndex(beside);
        }
        await removeIndexes(await stateFolder(), others);
        const copied = await (await drivers()).copyStore(
          settings,
          await contextOf(name),
          await contextOf(beside),
        );
        if (!copied) return undefined;
        const copy = await open(beside);
        await copy.setFact(recipeFact, recipe);
        return copy;
      }
    },
    async replace(target) {
      if (!target.isBeside) return;
      const name = await currentIndex(await stateFolder());
      await carryOver(await open(name), target.store);
      await switchIndex(await stateFolder(), nextIndex(name));
      // Whoever is searching in the former index goes on undisturbed; its file goes when all have let it go.
      await removeIndexes(await stateFolder(), [name]);
    },
    async discard() {
      const name = await currentIndex(await stateFolder());
      await closeIndex(name);
      await (await drivers()).discardStore(settings, await contextOf(name));
    },
    async clean() {
      const others = await otherIndexes(await stateFolder());
      for (const name of others) await closeIndex(name);
      await removeIndexes(await stateFolder(), others);
      return others;
    },
    async close() {
      for (const name of [...opened.keys()]) await closeIndex(name);
    },
  };
}

/** Content without a file that came or went in the former index while the new one was built. */
async function carryOver(from: Store, to: Store): Promise<void> {
  const before = new Map(
    (await to.documents({ origins: ['virtual'] })).map((record) => [record.uri, record]),
  );
  const now = await from.documents({ origins: ['virtual'] });
  const entries = new Map((await from.manifest()).map((entry) => [entry.uri, entry]));
  for (const document of now) {
    const known = before.get(document.uri);
    before.delete(document.uri);
    if (known?.revision === document.revision) continue;
    const chunks = await from.neighbours(document.id, 0, { before: 0, after: Number.MAX_SAFE_INTEGER });
    const { embeddedText } = await import('../core/chunk.ts');
    const { embeddingKey } = await import('../core/identity.ts');
    const keyed = chunks.map((chunk) => ({ chunk, embeddingKey: embeddingKey(embeddedText(chunk)) }));
    await to.put(document, keyed, entries.get(document.uri));
  }
  await to.deletePaths([...before.keys()].filter(isVirtual));
}

function busy(): QuarryError {
  return new QuarryError(
    'store-busy',
    'Another process is bringing the index up to date.',
    'This answer comes from what is there already; ask again later for the rest.',
  );
}

/** Whether an error means that the index itself is beyond opening or reading. */
export function isDamaged(thrown: unknown): boolean {
  return asQuarryError(thrown).code === 'store-corrupt';
}
