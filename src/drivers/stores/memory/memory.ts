import type { ChunkEntry, DocumentChange, ManifestEntry, VectorEntry } from '../../../contracts/store.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { chunkPasses, documentPasses, type Filter } from '../../../core/filter.ts';
import { chunkWords, wordFrequencies } from '../words.ts';

/** A stored chunk with its document and the words it is found by. */
export interface StoredChunk extends ChunkEntry {
  readonly document: DocumentRecord;
  /** How often each word stands in it, by the weights of its fields. */
  readonly words: ReadonlyMap<string, number>;
  /** Number of words, repetitions included. */
  readonly length: number;
}

/** Vectors of one length by the key of their text. */
export interface VectorSpace {
  readonly dimensions: number;
  readonly vectors: Map<string, Float32Array>;
}

/** Everything a store in memory knows; handles that share it see each other's changes. */
export class StoreMemory {
  readonly documents = new Map<string, { document: DocumentRecord; chunks: readonly StoredChunk[] }>();
  readonly spaces = new Map<string, VectorSpace>();
  readonly manifest = new Map<string, ManifestEntry>();
  readonly facts = new Map<string, string>();
  readonly fences = new Map<string, number>();
  revision = 0;
  readonly #positions = new Map<string, number>();

  /** A number for each text, rising in the order in which they were first asked for. */
  positionOf(embeddingKey: string): number {
    const known = this.#positions.get(embeddingKey) ?? this.#positions.size + 1;
    this.#positions.set(embeddingKey, known);
    return known;
  }

  /** The chunks that pass the filter, by document and position. */
  chunks(filter: Filter = {}): StoredChunk[] {
    return [...this.documents.values()]
      .filter(({ document }) => documentPasses(filter, document))
      .flatMap(({ chunks }) => chunks.filter(({ chunk, document }) => chunkPasses(filter, chunk, document)));
  }

  /** Puts a document in place of what is there under its id or uri. */
  putDocument({ document, chunks, manifest }: DocumentChange): void {
    const isKnown = this.documents.get(document.id)?.document.uri === document.uri;
    if (!isKnown) this.removeDocuments(new Set([document.uri]));
    const stored = chunks
      .map((entry) => storedChunk(document, entry))
      .sort((one, other) => one.chunk.ordinal - other.chunk.ordinal);
    this.documents.set(document.id, { document, chunks: stored });
    if (manifest) this.manifest.set(manifest.uri, manifest);
  }

  removeDocuments(uris: ReadonlySet<string>): void {
    if (uris.size === 0) return;
    for (const { document } of [...this.documents.values()])
      if (uris.has(document.uri)) this.documents.delete(document.id);
  }

  addVectors(space: string, entries: readonly VectorEntry[]): void {
    const [first] = entries;
    if (!first) return;
    const known = this.spaces.get(space) ?? { dimensions: first.vector.length, vectors: new Map() };
    for (const { embeddingKey, vector } of entries) known.vectors.set(embeddingKey, vector.slice());
    this.spaces.set(space, known);
  }

  /** Drops the vectors that no chunk refers to. */
  dropOrphans(): void {
    const live = new Set(this.chunks().map(({ embeddingKey }) => embeddingKey));
    for (const { vectors } of this.spaces.values()) {
      for (const key of vectors.keys()) if (!live.has(key)) vectors.delete(key);
    }
  }
}

/** The chunk as it is kept, with its words. */
function storedChunk(document: DocumentRecord, entry: ChunkEntry): StoredChunk {
  const { lines, length } = chunkWords(entry.chunk, document);
  return { ...entry, document, words: wordFrequencies(lines), length };
}
