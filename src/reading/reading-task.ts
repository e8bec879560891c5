import type { RawDocument } from '../indexing/read-document.ts';
import type { Installed, RecogniserCard } from '../models/model-card.ts';

/** What a thread reads pictures with. */
export interface RecognitionSettings {
  readonly installed: Installed<RecogniserCard>;
  /** Where pages that were read are kept, for all projects of the user. */
  readonly cacheFolder: string;
  readonly threads: number;
  /** Time for all pictures of a file. */
  readonly milliseconds: number;
  /** Whether secrets are blacked out before a page is kept. */
  readonly redactSecrets: boolean;
}

/** What a reading thread is asked: it may have served another project before. */
export interface ReadingTask {
  /** `ReadingSettings` as JSON. */
  readonly settings: string;
  readonly raw: RawDocument;
  /** With what the pictures in it are read; without it they are left out. */
  readonly recognition?: RecognitionSettings;
}

/** How far the pictures of a file are read. */
export interface PagesRead {
  readonly done: number;
  readonly total: number;
}
