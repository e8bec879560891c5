/** A part of a tree: some paths and everything below them. */
export interface PathScope {
  /** Whether a path is one of them or lies below one; folders may end in a slash. */
  holds(uri: string): boolean;
  /** Whether one of them lies below this folder, so that a walk must enter it; the folder ends in a slash. */
  leadsInto(folder: string): boolean;
}

/** The part of a tree at these paths, or undefined where it is the whole tree. */
export function pathScope(paths: Iterable<string>): PathScope | undefined {
  const chosen = new Set<string>();
  const above = new Set<string>();
  for (const written of paths) {
    const path = written.replace(/^(?:\.?\/)+|\/+$/g, '');
    if (path === '' || path === '.') return undefined;
    chosen.add(path);
    for (const folder of foldersOf(path)) above.add(folder);
  }
  return {
    holds(uri) {
      if (chosen.has(uri) || chosen.has(uri.replace(/\/$/, ''))) return true;
      return foldersOf(uri).some((folder) => chosen.has(folder.slice(0, -1)));
    },
    leadsInto: (folder) => (folder === '' ? chosen.size > 0 : above.has(folder)),
  };
}

/** The folders that a path lies in, each with its closing slash. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (slash + 1 < path.length) folders.push(path.slice(0, slash + 1));
  }
  return folders;
}
