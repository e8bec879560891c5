import type { PathScope } from '../../../../core/documents/path-scope.ts';

/** A folder that is to be watched. */
export interface WatchedFolder {
  readonly absolute: string;
  /** Empty, or ending in a slash. */
  readonly uri: string;
  readonly isRoot: boolean;
}

/** Folders that the system refuses to watch. */
export interface Refusal {
  readonly folders: number;
  readonly cause: unknown;
}

/** Keeps the folders of a tree watched. Between `begin` and `end` every folder to watch is visited. */
export interface FolderWatching {
  begin(): void;
  /** Watches a folder. One that is already watched is watched again, because it may have been replaced. */
  visit(folder: WatchedFolder): void;
  /** Stops watching the folders that were not visited, in this part of the tree or all of it. */
  end(scope: PathScope | undefined): Refusal | undefined;
  close(): void;
}

/** Error codes of folders that are gone or unreadable, which has nothing to do with limits: a scan reports them. */
const harmlessCodes: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'];

/** Whether a folder that cannot be watched leaves changes unnoticed. */
export function leavesGap(thrown: unknown): boolean {
  return !(thrown instanceof Error && 'code' in thrown && harmlessCodes.includes(thrown.code));
}
