import type { ChangeHint, Source, SourceWatch } from '../../contracts/source.ts';
import type { IndexEvent } from '../../core/events.ts';
import { createFileStamps, type FileStamps } from '../../platform/file-stamps.ts';
import type { IndexOptions } from '../run-options.ts';

/** What a watch begins with. */
export interface WatchTarget {
  /** Files with settings: after a change of one, everything is opened again. */
  readonly settingsFiles: readonly string[];
  /** Opens what is watched with the settings of that moment. */
  open(): Promise<Watched>;
  /** Told at the beginning how to ask for changes. */
  readonly onStart?: (lookout: Lookout) => void;
}

/** Says whether anything may have changed, for a caller that would otherwise scan everything. */
export interface Lookout {
  /**
   * How many changes were noticed so far, where all that were made before the call are among them and passes have dealt
   * with them: while the number stays the same, so do the files. Undefined where that cannot be said.
   */
  changesSoFar(): Promise<number | undefined>;
}

/** What is kept up to date, with the settings as they were when it was opened. */
export interface Watched {
  readonly folder: string;
  readonly source: Source;
  /** Folders without which nothing can be done: where one is gone, its return is looked for. */
  readonly roots: readonly string[];
  /** Seconds between two scans of everything; 0 for none. */
  readonly intervalSeconds: number;
  /** Brings the index up to date, or a part of it. */
  pass(
    options: Pick<IndexOptions, 'only' | 'passOverRefused' | 'giveWay' | 'signal'>,
  ): AsyncIterable<IndexEvent>;
  close(): Promise<void>;
}

/** Something watched that is open. */
export interface OpenWatched extends Watched {
  readonly watch: SourceWatch | undefined;
  /** Whether nothing is watched yet. */
  isFresh: boolean;
}

/** Holds what is watched open, and opens it again when its settings change or it broke. */
export class WatchedHolder {
  readonly #target: WatchTarget;
  readonly #notice: (hint: ChangeHint) => void;
  readonly #settings: FileStamps = createFileStamps();
  #roots: FileStamps = createFileStamps();
  #current: OpenWatched | undefined;

  constructor(target: WatchTarget, notice: (hint: ChangeHint) => void) {
    this.#target = target;
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
    // Before they are read: what is written while they are is then found to have changed.
    await this.#settings.follow(this.#target.settingsFiles);
    const watched = await this.#target.open();
    // What no longer closes well is no reason against the new settings.
    await this.close().catch(() => undefined);
    this.#roots = createFileStamps();
    await this.#roots.follow(watched.roots);
    const watch = await watched.source.watch?.(this.#notice);
    this.#current = { ...watched, watch, isFresh: true };
    return this.#current;
  }

  /** The files with settings that have changed since the last look. */
  changedSettings(): Promise<string[]> {
    return this.#settings.changed();
  }

  /** Whether a root has gone, come back or been replaced since the last look. */
  async haveRootsChanged(): Promise<boolean> {
    return (await this.#roots.changed()).length > 0;
  }

  /** Closes what is open; the next call opens it again. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.watch?.close();
    await current?.close();
  }
}
