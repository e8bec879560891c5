import type { UserPlaces } from './git/git-repository.ts';

/** Settings of the source of local files. */
export interface LocalSourceOptions extends UserPlaces {
  /** Absolute path of the project folder; uris are relative to it. */
  readonly root: string;
  /** Folders to walk: inside the project, or elsewhere by absolute path. The project folder by default. */
  readonly roots?: readonly string[];
  /** Absolute paths of folders that hold an index; never walked, because an index that is indexed feeds itself. */
  readonly storeFolders?: readonly string[];
  /** Globs over uris; none admits every file. */
  readonly include: readonly string[];
  /** Patterns over uris, written as in `.gitignore`; they have the last word. */
  readonly exclude: readonly string[];
  /** Larger files are skipped, and never read beyond this; formats differ in how much of a file is text. */
  readonly maxFileBytes: (uri: string) => number;
  /** What a file of any format may have: for those that do not have more, `maxFileBytes` is not asked. */
  readonly maxBytesOfAnyFormat?: number;
  /** Whether `.gitignore` and git's other excludes apply; `.quarryignore` always does. */
  readonly useGitignore: boolean;
  /** Whether dependencies, build output, binaries, secrets and the like are left out; true by default. */
  readonly defaultSkips?: boolean;
  /** Whether pictures are read, asked at each walk; they are left out otherwise. */
  readonly readsPictures?: () => boolean;
}
