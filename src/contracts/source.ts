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
   * Last change of the file or of what the system keeps about it, which no program can set back, in milliseconds since
   * 1970; absent where the source does not know.
   */
  readonly changedAt?: number;
}

/** A root that cannot be looked at, or that holds nothing: what was indexed of it may be back tomorrow. */
export interface RootTrouble {
  /** What is wrong and what to do about it, in words for the user. */
  readonly error: QuarryError;
  /** Whether it is there, but empty, as the place of a drive is that is not mounted. */
  readonly isEmpty: boolean;
  /** Whether a file with this uri would lie in it. */
  holds(uri: string): boolean;
}

/** One finding of a walk: a file to index, or a path left out with its reason. */
export type SourceEntry =
  | { readonly kind: 'file'; readonly file: SourceFile }
  /** With `trouble` where the path stands for a whole root. */
  | { readonly kind: 'skipped'; readonly skipped: SkippedPath; readonly trouble?: RootTrouble };

/** How a walk is meant. */
export interface ScanOptions {
  /** Report these paths and what is below them only; folders on the way that are left out are reported too. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Supplies files. It reads inside its roots only, whatever links and paths say. */
export interface Source {
  /** Walks everything. Every path is reported once, as a file or as skipped; a skipped folder stands for what is in it. */
  scan(options?: ScanOptions): AsyncIterable<SourceEntry>;
  /**
   * The bytes of one file; rejects with `path-outside-root` or `file-unreadable`. That has a cause with the code
   * `ENOENT` or `ENOTDIR` only where the file is gone for certain.
   */
  read(uri: string): Promise<Uint8Array>;
  /** Begins to tell of changes; a source that cannot is scanned from time to time instead. */
  watch?(notice: (hint: ChangeHint) => void): SourceWatch;
}

/** A sign that something may have changed. It is never the truth itself: a scan of what it names is. */
export type ChangeHint =
  /** A file or a folder with everything below it; `contentOnly` where it was there before and is there still. */
  | { readonly kind: 'path'; readonly uri: string; readonly contentOnly?: boolean }
  | { readonly kind: 'everything'; readonly why: string }
  /** Folders that are not watched, and what to do about it: changes there tell nothing. */
  | { readonly kind: 'unwatched'; readonly folders: number; readonly why: string; readonly remedy: string };

/** Watches a source until it is closed. It watches nothing before its first `refresh`. */
export interface SourceWatch {
  /**
   * Watches the folders that are there now, at these paths or everywhere. Called before a scan of the same paths: what
   * changes after the call is told, what changed before is for the scan to find.
   */
  refresh(options?: ScanOptions): Promise<void>;
  /** Looks for changes that no event tells, at a small and constant cost; called every few seconds. */
  poll(): Promise<void>;
  /** Whether a tool is in the midst of changing many files, and a scan had better wait. */
  isBusy(): Promise<boolean>;
  close(): void;
}
