import type { DriverContext } from '../../../contracts/driver.ts';
import type {
  Changes,
  ChunkRange,
  Committed,
  IndexState,
  KeyedChunk,
  ManifestEntry,
  MissingVector,
  SearchBounds,
  SearchPreparation,
  Store,
  StoreCapabilities,
  StoreDefect,
  StoreMatch,
  TextPattern,
  VectorEntry,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { applyChanges } from './documents/changes.ts';
import { findChunks, listDocuments, listPaths } from './documents/documents.ts';
import { IndexStates } from './documents/index-states.ts';
import { Connection, type ConnectionOptions } from './file/connection.ts';
import { checkStructure } from './soundness/check-structure.ts';
import { searchPattern } from './text/pattern.ts';
import { searchText } from './text/text-index.ts';
import { Upkeep } from './upkeep.ts';
import { countVectors, findKeyedChunks, findKeysPassing } from './vectors/keyed-chunks.ts';
import { NearestSearch } from './vectors/nearest.ts';
import { defaultLimits, type SearchLimits } from './vectors/space-search.ts';
import { findKeysWithVector, findMissingVectors, findVectors } from './vectors/vectors.ts';

/** A store that offers every capability. */
export type SqliteStore = Store & StoreCapabilities;

/** Opens the index file, and makes it where there is none. */
export function openSqliteStore(
  path: string,
  options: ConnectionOptions = {},
  resources?: DriverContext['resources'],
): SqliteStore {
  const limits = defaultLimits(resources?.memoryBytes, resources?.threads);
  return new OpenStore(new Connection(path, options), limits);
}

/** Each method is a step that happens as a whole, and sees the file in one state. */
class OpenStore implements SqliteStore {
  readonly #connection: Connection;
  readonly #nearest: NearestSearch;
  readonly #upkeep: Upkeep;
  readonly #states: IndexStates;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, limits: SearchLimits) {
    this.#connection = connection;
    this.#upkeep = new Upkeep(connection);
    this.#states = new IndexStates(connection);
    this.#nearest = new NearestSearch(connection, limits);
  }

  isInPlace(): boolean {
    return this.#connection.isInPlace();
  }

  async commit(changes: Changes): Promise<Committed> {
    const { committed, hasRemoved } = await this.#connection.write(() =>
      applyChanges(this.#connection, changes),
    );
    if (hasRemoved || changes.documents) await this.#upkeep.afterChange({ hasRemoved });
    return committed;
  }

  async missingVectors(space: string, limit: number, after = 0): Promise<MissingVector[]> {
    return this.#connection.read(() => findMissingVectors(this.#connection, space, limit, after));
  }

  async keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#connection.read(() => findKeysWithVector(this.#connection, space, embeddingKeys));
  }

  async vectorsOf(space: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]> {
    return this.#connection.read(() => findVectors(this.#connection, space, embeddingKeys));
  }

  async searchVector(space: string, vector: Float32Array, bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#connection.read(() => this.#nearest.search(space, vector, bounds));
  }

  async *prepareSearch(
    space: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<SearchPreparation> {
    await this.#upkeep.afterMany(signal);
    yield* this.#nearest.prepare(space, signal);
  }

  async chunksWithKeys(embeddingKeys: readonly string[], filter?: Filter): Promise<KeyedChunk[]> {
    return this.#connection.read(() => findKeyedChunks(this.#connection, embeddingKeys, filter));
  }

  async keysPassing(filter: Filter, limit: number): Promise<string[]> {
    return this.#connection.read(() => findKeysPassing(this.#connection, filter, limit));
  }

  async countVectors(space: string): Promise<number> {
    return this.#connection.read(() => countVectors(this.#connection, space));
  }

  async searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#connection.read(() => searchText(this.#connection, terms, bounds));
  }

  async searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]> {
    return searchPattern(this.#connection, pattern, bounds);
  }

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    return this.#connection.read(() => ranges.map((range) => findChunks(this.#connection, range)));
  }

  async documents(filter?: Filter): Promise<DocumentRecord[]> {
    return this.#connection.read(() => listDocuments(this.#connection, filter));
  }

  async paths(): Promise<string[]> {
    return this.#connection.read(() => listPaths(this.#connection));
  }

  async manifest(): Promise<ManifestEntry[]> {
    return this.#connection.read(() => this.#states.manifest());
  }

  async state(): Promise<IndexState> {
    return this.#connection.read(() => this.#states.state());
  }

  async bytes(): Promise<number> {
    const size = 'SELECT page_count * page_size AS value FROM pragma_page_count, pragma_page_size';
    return this.#connection.read(() => Number(this.#connection.get(size)?.value));
  }

  checkStructure({ signal }: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterable<StoreDefect> {
    return checkStructure(this.#connection, signal);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    await this.#nearest.close();
    await this.#upkeep.finish();
    await this.#connection.settle();
    this.#connection.close();
  }
}
