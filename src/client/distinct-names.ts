/** What names may look like, and which there are already. */
export interface NamingOptions {
  /** Writes a part of a path in the letters that a name may have. */
  readonly nameOf?: (end: string) => string;
  /** The name of a folder whose path holds none that is free. */
  readonly otherwise?: (folder: string) => string;
  /** Names by folder, which stay. */
  readonly given?: ReadonlyMap<string, string>;
  /** Further names that none gets. */
  readonly taken?: readonly string[];
}

/** Names of folders: their own, and of those that share one with as many of the folders around them as it takes. */
export function distinctNames(
  folders: readonly string[],
  {
    nameOf = (end) => end,
    otherwise = (folder) => folder,
    given = new Map(),
    taken = [],
  }: NamingOptions = {},
): ReadonlyMap<string, string> {
  const distinct = [...new Set(folders)];
  const partsOf = (folder: string) => folder.split(/[\\/]/).filter((part) => part !== '');
  const endOf = (folder: string, length: number) => nameOf(partsOf(folder).slice(-length).join('/'));
  const used = new Set([...given.values(), ...taken]);
  // A folder that has got a name of another kind keeps nobody from its own.
  const rivals = distinct.filter((folder) => (given.get(folder) ?? endOf(folder, 1)) === endOf(folder, 1));
  const nameFor = (folder: string): string => {
    for (let length = 1; length <= partsOf(folder).length; length += 1) {
      const name = endOf(folder, length);
      const isShared = rivals.some((other) => other !== folder && endOf(other, length) === name);
      if (!isShared && !used.has(name)) return name;
    }
    return otherwise(folder);
  };
  return new Map(distinct.map((folder) => [folder, given.get(folder) ?? nameFor(folder)]));
}
