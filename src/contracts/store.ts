import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { SkipReason } from '../core/events.ts';
import type { Filter } from '../core/filter.ts';

/** A chunk on its way into a store, with the key of the text its vector is made from. */
export interface ChunkEntry {
  readonly chunk: Chunk;
  /** Equal keys share one vector, in whichever documents they stand. */
  readonly embeddingKey: string;
}

/** What the index remembers of a path, so that the next run can see whether anything changed. */
export interface ManifestEntry {
  readonly uri: string;
  readonly status: 'indexed' | 'skipped' | 'failed';
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** SHA-256 of the content in hex; empty where it was not read. */
  readonly contentHash: string;
  /** Names the extraction and chunking that made the chunks; a change means chunking again. */
  readonly recipe: string;
  readonly chunks: number;
  /** Why it is left out or degraded; for what failed, the code of the error. */
  readonly reason?: SkipReason | 'degraded' | ErrorCode;
  /** The rule or the message behind the reason. */
  readonly detail?: string;
}

/** A stored chunk that a search found, with its document and the searcher's own score (higher is better). */
export interface StoreMatch {
  readonly chunk: Chunk;
  readonly document: DocumentRecord;
  readonly score: number;
}

/** A text whose vector is not there yet. */
export interface MissingVector {
  readonly embeddingKey: string;
  /** Header and text as they are embedded. */
  readonly text: string;
  /** Where it stands among the missing ones: pass the last one seen to get those after it. */
  readonly position: number;
}

/** A vector for all chunks with this key. */
export interface VectorEntry {
  readonly embeddingKey: string;
  readonly vector: Float32Array;
}

/** What else is to hold when a document is put. */
export interface PutOptions {
  /** Vectors of its texts, by space: they come in the same step, so that no reader sees it without them. */
  readonly vectors?: ReadonlyMap<string, readonly VectorEntry[]>;
  /** Put it only where the manifest still says this of its path: another writer may have been quicker. */
  readonly replaces?: ManifestEntry;
}

/** A text that stands elsewhere now: the same chunk under another path has another key. */
export interface VectorMove {
  readonly from: string;
  readonly to: string;
}

/** How much a store holds. */
export interface StoreCounts {
  readonly documents: number;
  readonly chunks: number;
  /** Chunks whose vector in the given space is there. */
  readonly embedded: number;
  readonly bytes: number;
}

/** The common part of all searches. */
export interface SearchBounds {
  readonly limit: number;
  readonly filter?: Filter;
}

/** What is looked for as it stands in a text: a literal, or a regular expression in JavaScript's syntax. */
export interface TextPattern {
  readonly text: string;
  /** Lines have their own beginning and end (`^`, `$`); characters are those of Unicode. */
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
}

/** What can be wrong with an index. */
export const defectKinds = [
  'structure',
  'document',
  'chunk',
  'vector',
  'text',
  'manifest',
  'orphan',
  'count',
] as const;

/** One thing that is wrong with an index, in words for a person. */
export interface StoreDefect {
  readonly kind: (typeof defectKinds)[number];
  /** The document it concerns, where it concerns one. */
  readonly uri?: string;
  readonly detail: string;
}

/** How far a store is with readying a space for search, in vectors. */
export interface SearchPreparation {
  readonly done: number;
  readonly total: number;
}

/** What repairing an index did. */
export interface StoreRepair {
  /** Defects that are gone. */
  readonly mended: readonly StoreDefect[];
  /** Documents that could not be trusted and were removed: the next run reads them again. */
  readonly removed: readonly string[];
}

/** Finds texts as they stand. Without it, search looks for literals in what text search finds, and says so. */
export interface PatternSearch {
  /**
   * Chunks whose own text holds the pattern; score = how often, up to some bound; most first, then by uri and ordinal.
   * An empty literal finds nothing. A regular expression that is none, or needs too long, is `pattern-invalid`.
   */
  searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]>;
}

/** Readies itself for fast search ahead of time. */
export interface SearchPreparing {
  /**
   * Makes what fast searches of a space want, where its size calls for it and it is not there yet; reports how far it
   * is, and nothing where there is nothing to do. Searches answer without it, only slower. A caller that stops listening
   * lets it continue until the store is closed; the signal ends it with `interrupted`.
   */
  prepareSearch(
    space: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<SearchPreparation>;
}

/** Finds and repairs its own damage. Without it, an index can only be rebuilt. */
export interface SelfRepair {
  /**
   * Looks at the whole index without changing it, and reports everything that is wrong: structure, counts, hashes,
   * orphans, vectors that are not finite or of the wrong length, a text index that does not fit its chunks. A sound
   * index reports nothing.
   */
  verify(options?: { readonly signal?: AbortSignal }): AsyncIterable<StoreDefect>;
  /** Repairs what `verify` reports: in place where the index itself knows better, by removing documents where not. */
  repair(options?: { readonly signal?: AbortSignal }): Promise<StoreRepair>;
}

/** A lock that is held. */
export interface StoreLock {
  release(): void;
}

/**
 * Locks of a store that is shared by more than one machine, or by none: files in a state folder could not serve there.
 * A lock ends with its process, however that ends.
 */
export interface StoreLocks {
  /** Takes the lock of this name; undefined where it is held elsewhere and `wait` is not set. */
  take(
    name: string,
    options?: { readonly wait?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<StoreLock | undefined>;
}

/** What a store may offer beyond the core. It declares a capability by having its methods; callers check before each use. */
export interface StoreCapabilities extends PatternSearch, SearchPreparing, SelfRepair {}

/**
 * Holds documents, chunks, vectors and facts. One writer at a time; readers are never blocked. Every store keeps this
 * core, which a database server can do in one file; the rest is optional.
 */
export interface Store extends Partial<StoreCapabilities> {
  /**
   * Replaces the document, all its chunks and its manifest entry in one step: readers see old or new, never half. False
   * where it was not put, because the path has another manifest entry by now than the one it was to replace.
   */
  put(
    document: DocumentRecord,
    chunks: readonly ChunkEntry[],
    manifest?: ManifestEntry,
    options?: PutOptions,
  ): Promise<boolean>;
  /** Removes what is stored under these uris, manifest entries included. Returns how many documents were there. */
  deletePaths(uris: readonly string[]): Promise<number>;

  /** Adds vectors of a space. The first one fixes the space's length; another length is `vector-invalid`. */
  addVectors(space: string, entries: readonly VectorEntry[]): Promise<void>;
  /** Gives a text that only moved the vectors of where it was, in every space that has them and lacks its own. */
  shareVectors(moves: readonly VectorMove[]): Promise<void>;
  /** Up to `limit` distinct texts after a position that still need a vector in this space, by rising position. */
  missingVectors(space: string, limit: number, after?: number): Promise<MissingVector[]>;
  /** Those of the keys whose text has its vector in this space. */
  keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Length of the vectors of a space, or undefined while it has none. */
  dimensions(space: string): Promise<number | undefined>;
  /** Forgets a space and its vectors. */
  dropSpace(space: string): Promise<void>;
  spaces(): Promise<string[]>;

  /** Nearest chunks by cosine, best first, score = cosine. A space without vectors gives none. */
  searchVector(space: string, vector: Float32Array, bounds: SearchBounds): Promise<StoreMatch[]>;
  /**
   * Best chunks by BM25 for any of the terms, best first; one that is given twice counts twice. Terms are data: no
   * operator has a meaning.
   */
  searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]>;
  /** All chunks of a document in order; empty for an unknown id. */
  chunksOf(documentId: string): Promise<Chunk[]>;
  /** A chunk's surroundings in its document, in order, the chunk itself included; empty for an unknown id. */
  neighbours(
    documentId: string,
    ordinal: number,
    around: { before: number; after: number },
  ): Promise<Chunk[]>;
  documents(filter?: Filter): Promise<DocumentRecord[]>;
  /** All uris with a document, sorted. */
  paths(): Promise<readonly string[]>;
  isEmpty(): Promise<boolean>;
  counts(space?: string): Promise<StoreCounts>;
  /** How many chunks lack their vector in a space. Every search asks: a store knows it without going through them. */
  pending(space: string): Promise<number>;

  manifest(): Promise<readonly ManifestEntry[]>;
  /** Notes paths without a document (skipped or failed), or refreshes entries whose content is unchanged. */
  putManifest(entries: readonly ManifestEntry[]): Promise<void>;

  /** A remembered fact about the index as a whole. */
  fact(name: string): Promise<string | undefined>;
  setFact(name: string, value: string | undefined): Promise<void>;
  /** A number that changes with every committed change, by this or any other process. */
  revision(): Promise<number>;

  close(): Promise<void>;
}
