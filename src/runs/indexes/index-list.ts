import type { Fences } from '../../contracts/leases.ts';
import type { StoreIndexes } from '../../contracts/store.ts';
import {
  currentIndex,
  firstIndex,
  nextIndex,
  numberOf,
  otherIndexes,
  removeIndexes,
  switchIndex,
} from '../../state-folder/index-folders.ts';

/** The indexes of a project by name: one answers, others were replaced or may replace it. */
export interface IndexList {
  current(): Promise<string>;
  /** A name that comes after those of all indexes that are there. */
  next(): Promise<string>;
  /** Those that do not answer. */
  others(): Promise<string[]>;
  switchTo(name: string, fences?: Fences): Promise<void>;
  remove(names: readonly string[], fences?: Fences): Promise<void>;
}

/** The folders in the state folder; `empty` removes what the index of a folder keeps outside of it. */
export function folderList(
  stateFolder: string,
  empty: (name: string) => Promise<void> = async () => {},
): IndexList {
  return {
    current: () => currentIndex(stateFolder),
    next: () => nextIndex(stateFolder),
    others: () => otherIndexes(stateFolder),
    switchTo: (name) => switchIndex(stateFolder, name),
    async remove(names) {
      for (const name of names) {
        await empty(name);
        await removeIndexes(stateFolder, [name]);
      }
    },
  };
}

/** The list that a store keeps itself, for several machines; what each has in its state folder goes with its index. */
export function sharedList(shared: StoreIndexes, stateFolder: string): IndexList {
  const newest = async (): Promise<string> => (await shared.names()).at(-1) ?? firstIndex;
  const current = async (): Promise<string> => (await shared.current()) ?? newest();
  return {
    current,
    next: async () => `index-${numberOf(await newest()) + 1}`,
    async others() {
      const answering = await current();
      return (await shared.names()).filter((name) => name !== answering);
    },
    switchTo: (name, fences) => shared.switchTo(name, fences),
    async remove(names, fences) {
      await shared.remove(names, fences);
      await removeIndexes(stateFolder, names);
    },
  };
}
