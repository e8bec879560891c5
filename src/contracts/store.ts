import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import type { ErrorCode } from '../core/error-catalogue.ts';
import type { SkipReason } from '../core/events.ts';
import type { Filter } from '../core/filter.ts';
import type { Fences } from './leases.ts';

/** A chunk to be stored, with the key of the text that its vector is made from. */
export interface ChunkEntry {
  readonly chunk: Chunk;
  /** Equal keys share one vector, also across documents. */
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
  /** Its position among the missing ones: pass the last position to get the texts after it. */
  readonly position: number;
}

/** A vector for all chunks with this key. */
export interface VectorEntry {
  readonly embeddingKey: string;
  readonly vector: Float32Array;
}

/** Vectors by the name of their space. */
export type VectorsBySpace = ReadonlyMap<string, readonly VectorEntry[]>;

/** A document that takes the place of what was stored under its id or uri, with all its chunks. */
export interface DocumentChange {
  readonly document: DocumentRecord;
  readonly chunks: readonly ChunkEntry[];
  readonly manifest?: ManifestEntry | undefined;
  /** Vectors of its texts: no reader sees the document without them. */
  readonly vectors?: VectorsBySpace | undefined;
  /** Store it only if the path still has this manifest entry: another writer may have been faster. */
  readonly replaces?: ManifestEntry | undefined;
}

/** What is to change in an index, in the order of these fields. */
export interface Changes {
  /** Uris whose documents and manifest entries are removed. */
  readonly removed?: readonly string[] | undefined;
  /** No two of one path. */
  readonly documents?: readonly DocumentChange[] | undefined;
  /** Entries of paths without a document (skipped or failed), or of documents whose content is unchanged. */
  readonly manifest?: readonly ManifestEntry[] | undefined;
  /** Vectors of texts that are there. The first one fixes the length of a space; another length is `vector-invalid`. */
  readonly vectors?: VectorsBySpace | undefined;
  /** What is remembered of the index as a whole; without a value it is forgotten. */
  readonly facts?: ReadonlyMap<string, string | undefined> | undefined;
  /** Spaces that are forgotten with their vectors. */
  readonly droppedSpaces?: readonly string[] | undefined;
  /**
   * The leases under which this is done. Where the index has seen a higher fence of one, all is refused (`lock-lost`);
   * otherwise it has seen these from now on.
   */
  readonly fences?: Fences | undefined;
}

/** What came of a commit. */
export interface Committed {
  /** How many documents were there under the uris that were removed. */
  readonly removed: number;
  /** Whether each document was stored: not where its path no longer had the manifest entry that was to be replaced. */
  readonly stored: readonly boolean[];
}

/** How much one commit holds best. */
export interface CommitSize {
  readonly documents: number;
  readonly chunks: number;
}

/** A space of vectors, as the index knows it. */
export interface SpaceState {
  /** Length of its vectors. */
  readonly dimensions: number;
  /** Chunks whose vector is there. */
  readonly embedded: number;
}

/** An index as a whole, at one revision. Every search asks for it, so that no store may scan for it. */
export interface IndexState {
  /** A number that changes with every committed change, by this or any other process. */
  readonly revision: number;
  /** Whether it has no document. */
  readonly isEmpty: boolean;
  readonly chunks: number;
  /** By name, sorted. A space is there from its first vector until it is dropped. */
  readonly spaces: ReadonlyMap<string, SpaceState>;
  /** What is remembered of the index as a whole. */
  readonly facts: ReadonlyMap<string, string>;
}

/** Chunks of a document by their position, both ends included. */
export interface ChunkRange {
  readonly documentId: string;
  readonly first: number;
  readonly last: number;
}

/** Options of every search. */
export interface SearchBounds {
  readonly limit: number;
  readonly filter?: Filter;
}

/** A pattern to find in texts: a literal, or a regular expression in JavaScript's syntax. */
export interface TextPattern {
  readonly text: string;
  /** With the flags `m` (`^` and `$` match at lines) and `u` (Unicode). */
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
  'content',
] as const;

/** One thing that is wrong with an index, for a person. */
export interface StoreDefect {
  readonly kind: (typeof defectKinds)[number];
  /** The document it concerns, where it concerns one. */
  readonly uri?: string;
  readonly detail: string;
}

/** Progress of preparing a space for fast search, in vectors. */
export interface SearchPreparation {
  readonly done: number;
  readonly total: number;
}

/** Finds literal texts and patterns. Without it, search looks for literals among the results of text search, with a warning. */
export interface PatternSearch {
  /**
   * Chunks whose own text holds the pattern. The score is the number of matches, up to some bound; most first, then by uri
   * and ordinal. An empty literal finds nothing. A regular expression that is invalid or too slow is `usage-invalid`.
   */
  searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]>;
}

/** Prepares fast search ahead of time. */
export interface SearchPreparing {
  /**
   * Prepares fast search of a space where its size needs it and it is not prepared yet. Yields progress, and nothing where
   * there is nothing to do. Searches work without it, but slower. When the caller leaves the stream early, the work
   * continues until the store is closed; the signal ends it with `interrupted`.
   */
  prepareSearch(
    space: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<SearchPreparation>;
}

/** A stored chunk with its document and the key of its text. */
export interface KeyedChunk extends ChunkEntry {
  readonly document: DocumentRecord;
}

/** Knows its chunks by the keys of their texts, so that their vectors may be kept elsewhere. */
export interface KeyedChunks {
  /** The chunks with one of these keys that pass the filter, by the order of the keys and then as they came into the index. */
  chunksWithKeys(embeddingKeys: readonly string[], filter?: Filter): Promise<KeyedChunk[]>;
  /** Up to `limit` distinct keys of chunks that pass the filter, in any order. */
  keysPassing(filter: Filter, limit: number): Promise<string[]>;
  /** How many keys have a vector in a space. */
  countVectors(space: string): Promise<number>;
}

/** Looks below the contract for damage. */
export interface StructureCheck {
  /**
   * Yields what is wrong with an index and cannot be seen by what its store answers: pages, rows that somebody else wrote, a
   * text index that does not match its chunks. Changes nothing. Such damage is not repaired in place: another index is filled.
   */
  checkStructure(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<StoreDefect>;
}

/** The indexes of a project, by names such as `index-2`, in a store that several machines share. */
export interface StoreIndexes {
  /** The name of the index that answers; undefined while none was chosen. */
  current(): Promise<string | undefined>;
  /** All that are there, oldest first. */
  names(): Promise<readonly string[]>;
  /** Lets this one answer from now on, in one step; refused (`lock-lost`) where one of the leases is another's by now. */
  switchTo(name: string, fences?: Fences): Promise<void>;
  /** Refused likewise. */
  remove(names: readonly string[], fences?: Fences): Promise<void>;
}

/** Optional capabilities. A store has a capability if it has its methods; callers check before each use. */
export interface StoreCapabilities extends PatternSearch, SearchPreparing, KeyedChunks, StructureCheck {}

/**
 * Holds documents, chunks, vectors and facts. One writer at a time; readers are never blocked. Every store has this core,
 * which one file can implement for a database server; the rest is optional.
 */
export interface Store extends Partial<StoreCapabilities> {
  /**
   * Whether what is open is still in the place where it was opened; absent where nobody can take it away. Otherwise reads
   * show its last state, and writes are `store-unusable`.
   */
  isInPlace?(): boolean;
  /** How many documents are best committed together; absent where some few are. */
  readonly commitSize?: CommitSize;
  /**
   * Changes the index in one step: readers see old or new, never half, and where it fails nothing has changed. A space may be
   * made before that step and dropped after it, where an engine cannot change its tables and their rows at once.
   */
  commit(changes: Changes): Promise<Committed>;

  /** Up to `limit` distinct texts after a position that still need a vector in this space, by rising position. */
  missingVectors(space: string, limit: number, after?: number): Promise<MissingVector[]>;
  /** Those of the keys that have a vector in this space. */
  keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The vectors of those of the keys that have one in this space, in any order. Their direction is as it was given, to
   * within the precision at which the store keeps them; adding one again changes it no further.
   */
  vectorsOf(space: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]>;

  /** Nearest chunks by cosine, best first, score = cosine. A space without vectors gives none. */
  searchVector(space: string, vector: Float32Array, bounds: SearchBounds): Promise<StoreMatch[]>;
  /**
   * Best chunks by BM25 for any of the terms, best first; a repeated term counts twice. Terms are data: they hold no
   * operators.
   */
  searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]>;
  /** A list for each range, in the order of the document; empty for an unknown id. */
  chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]>;
  /** Documents that pass; in `since` and `until`, those with any content of that time. */
  documents(filter?: Filter): Promise<DocumentRecord[]>;
  /** All uris with a document, sorted. */
  paths(): Promise<readonly string[]>;

  manifest(): Promise<readonly ManifestEntry[]>;
  state(): Promise<IndexState>;
  /** How much space the index takes. */
  bytes(): Promise<number>;

  close(): Promise<void>;
}
