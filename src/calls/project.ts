import type { Embedder } from '../contracts/embedder.ts';
import type { Generator } from '../contracts/generator.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { ManifestEntry, Store, StoreDefect } from '../contracts/store.ts';
import type { VectorCache } from '../contracts/vector-cache.ts';
import type { AnswerOutcome } from '../core/answer.ts';
import type { ContextOutcome } from '../core/context.ts';
import type { Digest } from '../core/digest.ts';
import type { DocumentDescription } from '../core/documents/kept-content.ts';
import type { LastCommits } from '../core/documents/last-commits.ts';
import type { QuarryError } from '../core/errors.ts';
import type { AnswerEvent, IndexEvent, WatchEvent } from '../core/events.ts';
import type { FirstLook } from '../core/first-look.ts';
import type { Hit } from '../core/hit.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import type { Passage } from '../core/passage.ts';
import type { Reading } from '../core/reading.ts';
import type { ChangeCounts } from '../indexing/compare.ts';
import type { RefusedChunks } from '../indexing/refused-texts.ts';
import type { ModelShelf } from '../models/model-shelf.ts';
import type { QueryAnalysis } from '../retrieval/search-request.ts';
import type { SettingOrigin } from '../settings/config.ts';
import type { Settings } from '../settings/settings.ts';
import type { OptionsOf } from './call-options.ts';
import type { ProjectGraph } from './graph-outcomes.ts';

/** Content to be added with no file behind it. */
export interface VirtualDocument extends DocumentDescription {
  /** Names it; adding under the same name replaces. An extension (`talk.md`) decides how it is cut. */
  readonly name: string;
  readonly text: string;
}

/** Content that is kept from now on, and outlives the index. */
export interface AddedContent {
  readonly uri: string;
  /** Whether it took the place of other content of this name. */
  readonly replaced: boolean;
  /** Why it lacks vectors, or is not in the index yet, where that is so: the next run sees to it. */
  readonly warnings: readonly QuarryError[];
}

/** How a search differs from the project's settings. */
export type SearchOptions = OptionsOf<'search'>;

/** What is read of a document. */
export type ReadOptions = OptionsOf<'read'>;

/** What a search found. */
export interface SearchOutcome {
  readonly hits: readonly Hit[];
  /** Why the answer may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
  /** Chunks that text search covers and vector search does not cover yet. */
  readonly pending: number;
  /** The hits within their surroundings, nothing twice; where a window was asked for. */
  readonly passages?: readonly Passage[];
  /** What is shown of the hits to people and agents; where it was asked for. */
  readonly digest?: Digest;
  /** How the query was understood; absent where there is no index. */
  readonly analysis?: QueryAnalysis;
  /** Summary of the run that brought the index up to date before the search. */
  readonly indexed?: IndexSummary;
  /** How much was seen, where the answer did not wait until all files are indexed. */
  readonly firstLook?: FirstLook;
}

/** How a context block differs from the project's settings. */
export type ContextOptions = OptionsOf<'context'>;

/** How a prompt gets its context. */
export type InjectOptions = OptionsOf<'inject'>;

/** How a question is asked. */
export type AskOptions = OptionsOf<'ask'>;

/** How much an index holds. */
export interface IndexCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose vector of the embedder in use is there. */
  readonly embedded: number;
  readonly bytes: number;
}

/** The state of an index, as it is at this moment. */
export interface ProjectStatus {
  readonly folder: string;
  readonly enabled: boolean;
  readonly empty: boolean;
  readonly counts: IndexCounts;
  /** Documents by type. */
  readonly types: Readonly<Record<string, number>>;
  /** Last completed run in milliseconds since 1970; undefined before the first. */
  readonly syncedAt?: number;
  /** Documents that are still cut as previous settings said; the next run cuts them again. */
  readonly stale: number;
  /** How far the index is behind the files at this moment; absent where it was not asked for, or where they cannot be read. */
  readonly changes?: ChangeCounts;
  /** Why the index could not be compared with the files. */
  readonly incomparable?: QuarryError;
  readonly embedder: string;
  /** Names in the state folder of indexes that this user did not make. */
  readonly setAside: readonly string[];
  readonly failed: readonly ManifestEntry[];
  readonly degraded: readonly ManifestEntry[];
  readonly skipped: readonly ManifestEntry[];
  /** Chunks without a vector because a model refused their text. */
  readonly refused: RefusedChunks;
}

/** How a run of indexing is meant. */
export type ProjectIndexOptions = OptionsOf<'index'>;

/** How the index is brought up to date before an answer. */
export type FreshenOptions = OptionsOf<'freshen'>;

/** What came of it. */
export interface Freshness {
  /** Absent where nothing was to be done, or not all of it could be. */
  readonly summary?: IndexSummary;
  /** What was looked at in place of all files; absent where all were read. */
  readonly firstLook?: FirstLook;
  /** Why the index may be behind the files. */
  readonly warnings: readonly QuarryError[];
}

/** What repairing a project's index did. */
export interface IndexRepair {
  /** Defects that were repaired. */
  readonly repaired: readonly StoreDefect[];
  /** Damaged documents that were removed: the next run reads them again. */
  readonly removed: readonly string[];
  /** Added content that neither its own file nor the index holds as a whole; its file stays as it is. */
  readonly lost: readonly StoreDefect[];
  /** Whether it was damaged as a whole, so that it was rebuilt from the files. */
  readonly rebuilt: boolean;
}

/** The commits of a project, beyond those in its index. */
export interface ProjectHistory {
  /** Whether git may be run to read the commits of this folder. */
  isAllowed(): Promise<boolean>;
  /**
   * Agrees that git reads them, or takes that back; the next run follows it. Rejects where there is no git, or no repository that
   * is safe to read.
   */
  allow(isAllowed: boolean, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * The commits that wrote these lines of a file as they stand, or that changed the file last; newest first. Git is run for it, and
   * only where it is allowed.
   */
  lastCommits(uri: string, options?: OptionsOf<'lastCommits'>): Promise<LastCommits>;
}

/** How a project is watched. */
export type ProjectWatchOptions = OptionsOf<'watch'>;

/** What was removed. */
export interface CleanReport {
  /** Names in the state folder. */
  readonly removed: readonly string[];
  readonly bytes: number;
  /** Documents of added content, which are never removed with an index. */
  readonly kept: number;
  /** Names in the state folder that Quarry did not make; they stay, and the folder with them. */
  readonly left?: readonly string[];
}

/** What the index remembers of a path. */
export interface ManifestListing extends ManifestEntry {
  /** Identities of its chunks in order, where they were asked for. */
  readonly chunkIds?: readonly string[];
}

/** How the state of an index is asked for. */
export type StatusOptions = OptionsOf<'status'>;

/** What all projects of a user share. */
export interface UserParts {
  /** Where the user's models and cached vectors are. */
  readonly cacheFolder: string;
  /** Where the user's own settings and consents are. */
  readonly configFolder: string;
  /** The embedding models on this machine, and those that can be added. */
  readonly models: ModelShelf;
}

/** One folder with its own isolated index. With `enabled = false` every call is a no-op and nothing is loaded. */
export interface Project extends UserParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly origins: ReadonlyMap<string, SettingOrigin>;
  /** Settings of the project's own file that lower protection, with their values. */
  readonly lowered: readonly string[];
  /** Those of them that do not count until the user agrees: `quarry trust`. */
  readonly untrusted: readonly string[];
  /** What became of settings that are written as the version before had them, a sentence each. */
  readonly retired: readonly string[];
  /** Brings the index up to date; the last event carries the summary. */
  index(options?: ProjectIndexOptions): AsyncIterable<IndexEvent>;
  /**
   * Brings the index up to date before an answer, as far as `index.on_search` and `index.search_seconds` say; what keeps it
   * from that is a warning where there is an index to answer from.
   */
  freshen(options?: FreshenOptions): AsyncGenerator<IndexEvent, Freshness>;
  /** Keeps the index up to date until the signal stops it, which ends it without an error. */
  watch(options?: ProjectWatchOptions): AsyncIterable<WatchEvent>;
  /** Adds content with no file behind it, or replaces what was added under its name. */
  add(document: VirtualDocument, options?: OptionsOf<'add'>): Promise<AddedContent>;
  /**
   * Removes documents by uri: added content for good, a file until the next run unless it is ignored. Returns how many
   * were there.
   */
  remove(...uris: string[]): Promise<number>;
  /** Makes added content that came with the folder the user's own: until then it is not used. Returns its uris. */
  adopt(options?: OptionsOf<'adopt'>): Promise<string[]>;
  /** Finds chunks, after bringing the index up to date as `freshen` does. */
  search(query: string, options?: SearchOptions): Promise<SearchOutcome>;
  /** Reads from the index, after bringing its text up to date: lines, a definition, a chunk, or a whole document. */
  read(options: ReadOptions): Promise<Reading>;
  /** Searches, and writes what passes `context.threshold` as one block for a prompt. */
  context(query: string, options?: ContextOptions): Promise<ContextOutcome>;
  /**
   * The prompt with what was retrieved for it in front; the same prompt where the project is disabled or empty, where
   * nothing passes the threshold, or where the index is broken.
   */
  inject(prompt: string, query: string, options?: InjectOptions): Promise<string>;
  /**
   * Answers a question from the project: emits the answer as it is written, and returns it with its sources and what was
   * found out about each sentence. Without a model the best sentences are quoted.
   */
  ask(question: string, options?: AskOptions): AsyncGenerator<AnswerEvent, AnswerOutcome>;
  /** Who calls what, and what is defined where: answers from the code's own graph. */
  readonly graph: ProjectGraph;
  /** The commits behind the files: whether git may read them. Those that were indexed are found like any document. */
  readonly history: ProjectHistory;
  /** What the index holds and, unless `compare` is false, how far it is behind the files. */
  status(options?: StatusOptions): Promise<ProjectStatus>;
  /** Looks at the whole index without changing it, and emits what is wrong with it. */
  verify(options?: OptionsOf<'verify'>): AsyncIterable<StoreDefect>;
  /** Repairs the index and reads again what cannot be repaired in place. */
  repair(options?: OptionsOf<'repair'>): AsyncGenerator<IndexEvent, IndexRepair>;
  /** Removes previous indexes and leftovers, or with `all` the whole index; added content is kept. */
  clean(options?: OptionsOf<'clean'>): Promise<CleanReport>;
  /** What the index remembers of every path, sorted; with `chunks` also the identities of their chunks. */
  manifest(options?: OptionsOf<'manifest'>): Promise<ManifestListing[]>;
  /** The index itself, opened when first asked for. */
  store(): Promise<Store>;
  /** An embedder itself, opened when first asked for: the one in use, or one of `[embedders]` by name. */
  embedder(name?: string): Promise<Embedder>;
  /** The reranker itself, opened when first asked for; undefined where the project uses none. */
  reranker(): Promise<Reranker | undefined>;
  /** The model that writes answers, opened when first asked for; undefined where there is none. */
  generator(): Promise<Generator | undefined>;
  /** The cache of vectors that all projects share, opened when first asked for; undefined where it is turned off. */
  vectorCache(): Promise<VectorCache | undefined>;
  /** Ends what is under way. Every later call is `usage-invalid`. */
  close(): Promise<void>;
}
