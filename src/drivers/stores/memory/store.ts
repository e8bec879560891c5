import { isDeepStrictEqual } from 'node:util';
import { raisedFences } from '../../../contracts/leases.ts';
import type {
  Changes,
  ChunkRange,
  Committed,
  IndexState,
  ManifestEntry,
  MissingVector,
  SearchBounds,
  Store,
  StoreMatch,
  VectorEntry,
} from '../../../contracts/store.ts';
import { type Chunk, embeddedText } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { isByAny, messagesField } from '../../../core/documents/own-fields.ts';
import { documentPasses, type Filter, isWithin } from '../../../core/filter.ts';
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { cosine } from '../../../core/vectors/cosine.ts';
import { chunksByRange } from '../chunks-by-range.ts';
import { closedStore } from '../closed-store.ts';
import { spacesByName } from '../spaces-by-name.ts';
import { bm25, queryWords } from '../words.ts';
import { type StoredChunk, StoreMemory, type VectorSpace } from './memory.ts';

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

  async commit({
    removed = [],
    documents = [],
    manifest = [],
    vectors = new Map(),
    facts = new Map(),
    droppedSpaces = [],
    fences,
  }: Changes): Promise<Committed> {
    const memory = this.#memory;
    const raised = raisedFences(memory.fences, fences);
    const stored = documents.map(
      ({ replaces }) => !replaces || isDeepStrictEqual(memory.manifest.get(replaces.uri), replaces),
    );
    const taken = documents.filter((_, place) => stored[place]);
    const given = [...taken.flatMap((change) => [...(change.vectors ?? [])]), ...vectors];
    // Before anything is changed.
    this.#assertVectors(given);
    for (const [lease, fence] of raised) memory.fences.set(lease, fence);
    const before = memory.documents.size;
    for (const uri of removed) memory.manifest.delete(uri);
    memory.removeDocuments(new Set(removed));
    const count = before - memory.documents.size;
    for (const change of taken) memory.putDocument(change);
    for (const entry of manifest) memory.manifest.set(entry.uri, entry);
    for (const [space, entries] of given) memory.addVectors(space, entries);
    for (const [name, value] of facts)
      if (value === undefined) memory.facts.delete(name);
      else memory.facts.set(name, value);
    for (const space of droppedSpaces) memory.spaces.delete(space);
    memory.dropOrphans();
    memory.revision += 1;
    return { removed: count, stored };
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
    const all = this.#memory.chunks();
    const averageLength = all.reduce((sum, { length }) => sum + length, 0) / Math.max(1, all.length);
    const words = [...queryWords(terms)].map(([word, times]) => {
      return { word, times, chunks: all.filter((chunk) => chunk.words.has(word)).length };
    });
    const collection = { chunks: all.length, averageLength };
    return this.#memory
      .chunks(filter)
      .map((chunk) => matchOf(chunk, bm25(chunk.words, chunk.length, words, collection)))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, Math.max(0, limit));
  }

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    const chunks = this.#memory.chunks().map(({ chunk }) => chunk);
    return chunksByRange(chunks, ranges);
  }

  async documents(filter: Filter = {}): Promise<DocumentRecord[]> {
    return [...this.#memory.documents.values()]
      .filter(({ document, chunks }) => {
        const moments = [document.modifiedAt, ...chunks.flatMap(({ chunk }) => chunk.writtenAt ?? [])];
        const parts = messagesField in document.metadata ? chunks.map(({ chunk }) => chunk.metadata) : [{}];
        return (
          documentPasses(filter, document) &&
          moments.some((moment) => isWithin(filter, moment)) &&
          parts.some((part) => !filter.authors || isByAny(filter.authors, document.metadata, part))
        );
      })
      .map(({ document }) => document);
  }

  async paths(): Promise<string[]> {
    return (await this.documents()).map(({ uri }) => uri).sort();
  }

  async manifest(): Promise<ManifestEntry[]> {
    return [...this.#memory.manifest.values()];
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

  #assertVectors(given: readonly (readonly [space: string, entries: readonly VectorEntry[]])[]): void {
    const lengths = new Map([...this.#memory.spaces].map(([name, { dimensions }]) => [name, dimensions]));
    for (const [space, entries] of given) {
      const dimensions = lengths.get(space) ?? entries[0]?.vector.length ?? 0;
      if (entries.length > 0) lengths.set(space, dimensions);
      for (const { vector } of entries) assertVector(vector, dimensions);
    }
  }
}

function matchOf({ chunk, document }: StoredChunk, score: number): StoreMatch {
  return { chunk, document, score };
}
