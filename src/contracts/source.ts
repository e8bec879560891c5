import type { SkippedPath } from '../core/events.ts';

/** A file that may be indexed, as the walk found it; its content has not been read. */
export interface SourceFile {
  readonly uri: string;
  /** Bytes. */
  readonly size: number;
  /** Last change in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** One finding of a walk: a file to index, or a path left out with its reason. */
export type SourceEntry =
  | { readonly kind: 'file'; readonly file: SourceFile }
  | { readonly kind: 'skipped'; readonly skipped: SkippedPath };

/** Supplies files. It reads inside its roots only, whatever links and paths say. */
export interface Source {
  /** Walks everything once. Every path is reported as a file or as skipped; a skipped folder is reported once. */
  scan(options?: { readonly signal?: AbortSignal }): AsyncIterable<SourceEntry>;
  /** The bytes of one file; rejects with `path-outside-root` or `file-unreadable`. */
  read(uri: string): Promise<Uint8Array>;
}
