import type { QuarryError } from '../core/errors.ts';
import type { SkippedPath } from '../core/events.ts';

/** A file that may be indexed, as the walk found it; its content has not been read. */
export interface SourceFile {
  readonly uri: string;
  /** Bytes. */
  readonly size: number;
  /** Last change in milliseconds since 1970. */
  readonly modifiedAt: number;
  /**
   * Last change of the file or of its metadata in milliseconds since 1970; no program can set it back. Absent where the
   * source does not know it.
   */
  readonly changedAt?: number;
}

/** A root that cannot be read, or that is empty. Its files may come back later. */
export interface RootTrouble {
  /** What is wrong and what to do about it, for the user. */
  readonly error: QuarryError;
  /** Whether it exists but is empty, like the mount point of a drive that is not mounted. */
  readonly isEmpty: boolean;
  /** Whether a file with this uri would lie in it. */
  holds(uri: string): boolean;
}

/** One finding of a walk: a file to index, or a path left out with its reason. */
export type SourceEntry =
  | { readonly kind: 'file'; readonly file: SourceFile }
  /** With `trouble` where the path stands for a whole root. */
  | { readonly kind: 'skipped'; readonly skipped: SkippedPath; readonly trouble?: RootTrouble };

/** Options of a walk. */
export interface ScanOptions {
  /** Report only these paths and what is below them, and folders above them that are skipped. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Supplies files. It never reads outside its roots, whatever links and paths say. */
export interface Source {
  /** Walks all roots. Every path is reported once, as a file or as skipped; a skipped folder covers its content. */
  scan(options?: ScanOptions): AsyncIterable<SourceEntry>;
  /**
   * The bytes of one file; rejects with `path-outside-root` or `file-unreadable`. The cause of the latter has the code
   * `ENOENT` or `ENOTDIR` only where the file certainly no longer exists.
   */
  read(uri: string): Promise<Uint8Array>;
  /**
   * The first bytes of a file, at once and as cheaply as can be, for a look at many files; throws where `read` would reject.
   * Absent where the source has no quick way; of content that has no file it is not asked.
   */
  peek?(uri: string, maxBytes: number): Uint8Array;
  /** Begins to report changes; a source without it is scanned from time to time. */
  watch?(notice: (hint: ChangeHint) => void): SourceWatch | Promise<SourceWatch>;
}

/** A hint that something may have changed. Only a scan of what it names is the truth. */
export type ChangeHint =
  /** A file or a folder with everything below it; `contentOnly` where it was there before and is there still. */
  | { readonly kind: 'path'; readonly uri: string; readonly contentOnly?: boolean }
  | { readonly kind: 'everything'; readonly why: string }
  /** Folders that are not watched, and what to do about it: changes there are not reported. */
  | { readonly kind: 'unwatched'; readonly folders: number; readonly why: string; readonly remedy: string };

/** Watches a source until it is closed. It watches nothing before its first `refresh`. */
export interface SourceWatch {
  /**
   * Watches the folders that exist now, at these paths or everywhere. It is called before a scan of the same paths: the
   * scan finds earlier changes, the watch reports later ones.
   */
  refresh(options?: ScanOptions): Promise<void>;
  /** Looks for changes that no event reports, at a small and constant cost; called every few seconds. */
  poll(): Promise<void>;
  /** Whether a tool is changing many files now, so that a scan should wait. */
  isBusy(): Promise<boolean>;
  /**
   * Notices every change that was made before the call. False where the system does not promise to report them all, and
   * absent where it never does.
   */
  catchUp?(): Promise<boolean>;
  close(): void;
}
