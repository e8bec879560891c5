import type { ChangeHint, Source, SourceWatch } from '../contracts/source.ts';
import type { IndexEvent } from '../core/events.ts';
import { createFileStamps, type FileStamps } from '../platform/file-stamps.ts';
import type { IndexOptions } from './run.ts';

/** What is kept up to date, with the settings as they were when it was opened. */
export interface Watched {
  readonly folder: string;
  readonly source: Source;
  /** Files with settings: after a change of one, everything is opened anew. */
  readonly settingsFiles: readonly string[];
  /** Seconds between two scans of everything; 0 for none. */
  readonly intervalSeconds: number;
  /** Brings the index up to date, or a part of it. */
  pass(options: Pick<IndexOptions, 'only' | 'passOverRefused' | 'signal'>): AsyncIterable<IndexEvent>;
  close(): Promise<void>;
}

/** Something watched that is open. */
export interface OpenWatched extends Watched {
  readonly watch: SourceWatch | undefined;
  /** Whether nothing is watched yet. */
  isFresh: boolean;
}

/** Holds what is watched open, and opens it anew when its settings change or it broke. */
export class WatchedHolder {
  readonly #open: () => Promise<Watched>;
  readonly #notice: (hint: ChangeHint) => void;
  readonly #settings: FileStamps = createFileStamps();
  #current: OpenWatched | undefined;

  constructor(open: () => Promise<Watched>, notice: (hint: ChangeHint) => void) {
    this.#open = open;
    this.#notice = notice;
  }

  /** What is open now, if anything is. */
  get present(): OpenWatched | undefined {
    return this.#current;
  }

  /** What is open, opened where it is not. */
  async current(): Promise<OpenWatched> {
    return this.#current ?? this.reopen();
  }

  /** Opens with the settings of this moment; where that fails, what was open before stays so. */
  async reopen(): Promise<OpenWatched> {
    const watched = await this.#open();
    await this.close();
    await this.#settings.follow(watched.settingsFiles);
    const watch = watched.source.watch?.(this.#notice);
    this.#current = { ...watched, watch, isFresh: true };
    return this.#current;
  }

  /** The files with settings that have changed since the last look. */
  changedSettings(): Promise<string[]> {
    return this.#settings.changed();
  }

  /** Closes what is open; the next one who asks gets it opened anew. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.watch?.close();
    await current?.close();
  }
}
