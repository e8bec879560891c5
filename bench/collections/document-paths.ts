import { isHostileUri } from '../../src/platform/contained-path.ts';
import { formatOf } from '../../src/reading/formats.ts';

/**
 * Chooses the file of each document. A collection whose ids are paths keeps them, because ranking and vectors use the
 * path as they do in a real folder; elsewhere the name is the document's place in the corpus, which no id can bend.
 */
export interface DocumentPaths {
  /** A path that no other document has. */
  next(id: string, extension: string): string;
}

/** Paths for the documents of one scope, in the order of the corpus. */
export function documentPaths(keepsPaths: boolean): DocumentPaths {
  const files = new Set<string>();
  const folders = new Set<string>();
  let count = 0;
  const isFree = (path: string): boolean => {
    // Some file systems hold upper and lower case for the same.
    const key = path.toLowerCase();
    return !files.has(key) && !folders.has(key) && foldersOf(key).every((folder) => !files.has(folder));
  };
  return {
    next(id, extension) {
      const own = keepsPaths && isSafePath(id) ? withReadableEnding(id, extension) : undefined;
      let path = own !== undefined && isFree(own) ? own : `${count}.${extension}`;
      while (!isFree(path)) path = `_${path}`;
      count += 1;
      files.add(path.toLowerCase());
      for (const folder of foldersOf(path.toLowerCase())) folders.add(folder);
      return path;
    },
  };
}

/** Whether most ids are paths of files. */
export function arePaths(ids: readonly string[]): boolean {
  const paths = ids.filter((id) => /\.[A-Za-z]\w{0,9}$/.test(id) && isSafePath(id));
  return paths.length * 2 > ids.length;
}

/**
 * Rules for the folder of the texts: everything in it is a document, though a project would leave out build outputs and
 * the like. The bracket makes the line name something; a pattern of stars alone would include nothing again.
 */
export const everyFile = { path: '.quarryignore', content: '![!:]*\n.quarryignore\n' } as const;

/** Whether an id can be the path of a file on every system, and is read as nothing but a document. */
function isSafePath(id: string): boolean {
  if (isHostileUri(id) || id.length > 200 || id.toLowerCase() === 'quarry.toml') return false;
  // A name that starts with a dot may be an ignore file or a folder that is never read.
  return id.split('/').every((name) => /^[^.<>:"|?*\\\p{Cc}][^<>:"|?*\\\p{Cc}]*(?<![. ])$/u.test(name));
}

/** A page of a notebook or PDF is in the corpus as plain text, which its own extractor could not read. */
function withReadableEnding(id: string, extension: string): string {
  return formatOf(id).isContainer ? `${id}.${extension}` : id;
}

function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'));
}
