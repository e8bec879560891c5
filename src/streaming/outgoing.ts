import type { PushStats, StreamLimits } from './protocol.ts';

/** A file as it may leave: its secrets are blacked out, and size and hash are those of what is sent. */
export interface OutgoingFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly hash: string;
  /** Last change in milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Its content of this moment, which may be another by now; undefined where it is gone. */
  read(): Promise<OutgoingContent | undefined>;
}

/** A file with its content at hand. */
export interface OutgoingContent extends OutgoingFile {
  readonly bytes: Uint8Array;
}

/** A part of the manifest. */
export interface OutgoingPage {
  readonly files: readonly OutgoingFile[];
  readonly removed: readonly string[];
}

/** The files of a client, on their way to a server. */
export interface Outgoing {
  /** The revision of the server that the client knows; empty where it knows none. */
  readonly base: string;
  /** What differs from the base where the server is at this revision, else everything. */
  pages(revision: string, limits: StreamLimits): AsyncIterable<OutgoingPage>;
  /** What was found to be different while it was sent. */
  replaced(file: OutgoingFile): void;
  dropped(path: string): void;
  /** All files, sent now or before. */
  totals(): { readonly files: number; readonly bytes: number };
  /** The server has everything. */
  completed(stats: PushStats): void;
}
