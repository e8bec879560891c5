import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type {
  ChunkEntry,
  ChunkRange,
  IndexState,
  ManifestEntry,
  MissingVector,
  PutOptions,
  SearchBounds,
  Store,
  StoreMatch,
  VectorEntry,
} from '../../contracts/store.ts';
import { type Chunk, embeddedText } from '../../core/chunk.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { documentPasses, type Filter, isWithin } from '../../core/filter.ts';
import { assertVector } from '../../core/vectors/assert-vector.ts';
import { cosine } from '../../core/vectors/cosine.ts';
import { assertEntries, closedStore } from './admission.ts';
import { chunksByRange } from './chunks-by-range.ts';
import { rankByTerms } from './memory/bm25.ts';
import { memoryLocks } from './memory/locks.ts';
import { type StoredChunk, StoreMemory, storedChunk, type VectorSpace } from './memory/memory.ts';
import { spacesByName } from './spaces-by-name.ts';

const options = z.strictObject({});

/** A store in memory that forgets everything when it is closed. */
export default defineDriver<Store, typeof options>({
  name: 'memory',
  summary:
    'Keeps the index in memory until the project is closed, and nothing on disk; for tests and trials.',
  options,
  requires: [],
  open: async () => openMemoryStore(),
  locks: (_, { stateFolder }) => memoryLocks(stateFolder),
});

/** Opens a store over this memory; handles over one memory are connections to one store. */
export function openMemoryStore(memory: StoreMemory = new StoreMemory()): Store {
  return new MemoryStore(memory);
}

/** The core of the contract in its plainest form: what another store does fast, this one does obviously. */
class MemoryStore implements Store {
  #open: StoreMemory | undefined;

  constructor(memory: StoreMemory) {
    this.#open = memory;
  }

  get #memory(): StoreMemory {
    if (!this.#open) throw closedStore();
    return this.#open;
  }

  async put(
    document: DocumentRecord,
    chunks: readonly ChunkEntry[],
    manifest?: ManifestEntry,
    { vectors, replaces }: PutOptions = {},
  ): Promise<boolean> {
    assertEntries(document, chunks);
    if (replaces && !isDeepStrictEqual(this.#memory.manifest.get(replaces.uri), replaces)) return false;
    for (const [space, entries] of vectors ?? []) this.#assertVectors(space, entries);
    const stored = chunks
      .map((entry) => storedChunk(document, entry))
      .sort((one, other) => one.chunk.ordinal - other.chunk.ordinal);
    for (const { document: previous } of this.#memory.documents.values()) {
      if (previous.uri === document.uri && previous.id !== document.id)
        this.#memory.documents.delete(previous.id);
    }
    this.#memory.documents.set(document.id, { document, chunks: stored });
    if (manifest) this.#memory.manifest.set(manifest.uri, manifest);
    for (const [space, entries] of vectors ?? []) await this.addVectors(space, entries);
    this.#memory.dropOrphans();
    this.#memory.revision += 1;
    return true;
  }

  async deletePaths(uris: readonly string[]): Promise<number> {
    const { documents, manifest } = this.#memory;
    const before = documents.size;
    const wanted = new Set(uris);
    for (const uri of wanted) manifest.delete(uri);
    for (const { document } of [...documents.values()])
      if (wanted.has(document.uri)) documents.delete(document.id);
    this.#memory.dropOrphans();
    this.#memory.revision += 1;
    return before - documents.size;
  }

  async addVectors(space: string, entries: readonly VectorEntry[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    this.#assertVectors(space, entries);
    const known = this.#memory.spaces.get(space);
    const { dimensions, vectors } = known ?? { dimensions: first.vector.length, vectors: new Map() };
    for (const { embeddingKey, vector } of entries) vectors.set(embeddingKey, vector.slice());
    this.#memory.spaces.set(space, { dimensions, vectors });
    this.#memory.dropOrphans();
    this.#memory.revision += 1;
  }

  async missingVectors(space: string, limit: number, after = 0): Promise<MissingVector[]> {
    const present = this.#memory.spaces.get(space)?.vectors;
    const missing = new Map<string, MissingVector>();
    for (const { chunk, embeddingKey } of this.#memory.chunks()) {
      const position = this.#memory.positionOf(embeddingKey);
      if (position <= after || present?.has(embeddingKey) || missing.has(embeddingKey)) continue;
      missing.set(embeddingKey, { embeddingKey, text: embeddedText(chunk), position });
    }
    return [...missing.values()].sort((one, other) => one.position - other.position).slice(0, limit);
  }

  async keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>> {
    const present = this.#memory.spaces.get(space)?.vectors;
    return new Set(embeddingKeys.filter((key) => present?.has(key)));
  }

  async vectorsOf(space: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]> {
    const present = this.#memory.spaces.get(space)?.vectors;
    return [...new Set(embeddingKeys)].flatMap((embeddingKey) => {
      const vector = present?.get(embeddingKey)?.slice();
      return vector ? [{ embeddingKey, vector }] : [];
    });
  }

  async dropSpace(space: string): Promise<void> {
    this.#memory.spaces.delete(space);
    this.#memory.revision += 1;
  }

  async searchVector(
    space: string,
    vector: Float32Array,
    { limit, filter }: SearchBounds,
  ): Promise<StoreMatch[]> {
    const known = this.#memory.spaces.get(space);
    if (!known) return [];
    assertVector(vector, known.dimensions);
    return this.#memory
      .chunks(filter)
      .flatMap((chunk) => {
        const stored = known.vectors.get(chunk.embeddingKey);
        return stored ? [matchOf(chunk, cosine(stored, vector))] : [];
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, Math.max(0, limit));
  }

  async searchText(terms: readonly string[], { limit, filter }: SearchBounds): Promise<StoreMatch[]> {
    const collection = this.#memory.chunks().map((entry) => ({ entry, terms: entry.terms }));
    const admitted = new Set(this.#memory.chunks(filter));
    return rankByTerms(terms, collection)
      .filter(({ entry }) => admitted.has(entry))
      .slice(0, Math.max(0, limit))
      .map(({ entry, score }) => matchOf(entry, score));
  }

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    const chunks = this.#memory.chunks().map(({ chunk }) => chunk);
    return chunksByRange(chunks, ranges);
  }

  async documents(filter: Filter = {}): Promise<DocumentRecord[]> {
    return [...this.#memory.documents.values()]
      .filter(({ document, chunks }) => {
        const moments = [document.modifiedAt, ...chunks.flatMap(({ chunk }) => chunk.writtenAt ?? [])];
        return documentPasses(filter, document) && moments.some((moment) => isWithin(filter, moment));
      })
      .map(({ document }) => document);
  }

  async paths(): Promise<string[]> {
    return (await this.documents()).map(({ uri }) => uri).sort();
  }

  async manifest(): Promise<ManifestEntry[]> {
    return [...this.#memory.manifest.values()];
  }

  async putManifest(entries: readonly ManifestEntry[]): Promise<void> {
    for (const entry of entries) this.#memory.manifest.set(entry.uri, entry);
    this.#memory.revision += 1;
  }

  async setFact(name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.#memory.facts.delete(name);
    else this.#memory.facts.set(name, value);
    this.#memory.revision += 1;
  }

  async state(): Promise<IndexState> {
    const { revision, documents, spaces, facts } = this.#memory;
    const chunks = this.#memory.chunks();
    const embedded = (vectors: VectorSpace['vectors']) =>
      chunks.filter(({ embeddingKey }) => vectors.has(embeddingKey)).length;
    return {
      revision,
      isEmpty: documents.size === 0,
      chunks: chunks.length,
      spaces: spacesByName(
        [...spaces].map(([name, { dimensions, vectors }]) => [
          name,
          { dimensions, embedded: embedded(vectors) },
        ]),
      ),
      facts: new Map(facts),
    };
  }

  async bytes(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    this.#open = undefined;
  }

  #assertVectors(space: string, entries: readonly VectorEntry[]): void {
    const dimensions = this.#memory.spaces.get(space)?.dimensions ?? entries[0]?.vector.length ?? 0;
    for (const { vector } of entries) assertVector(vector, dimensions);
  }
}

function matchOf({ chunk, document }: StoredChunk, score: number): StoreMatch {
  return { chunk, document, score };
}
