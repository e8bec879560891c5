import type { DriverContext } from '../../../contracts/driver.ts';
import type {
  ChunkEntry,
  ChunkRange,
  IndexState,
  KeyedChunk,
  ManifestEntry,
  MissingVector,
  PutOptions,
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
import { assertEntries } from '../admission.ts';
import { findChunks, listDocuments, listPaths, removeDocuments } from './documents/documents.ts';
import { IndexStates } from './documents/index-states.ts';
import {
  isManifestEntry,
  removeManifestEntries,
  writeFact,
  writeManifestEntry,
} from './documents/manifest.ts';
import { type PutOutcome, replaceDocument } from './documents/replace-document.ts';
import { Connection, type ConnectionOptions } from './file/connection.ts';
import { checkStructure } from './soundness/check-structure.ts';
import { searchPattern } from './text/pattern.ts';
import { insertText, searchText } from './text/text-index.ts';
import { Upkeep } from './upkeep.ts';
import { dropSpace } from './vectors/dropped-spaces.ts';
import { countVectors, findKeyedChunks, findKeysPassing } from './vectors/keyed-chunks.ts';
import { NearestSearch } from './vectors/nearest.ts';
import { defaultLimits, type SearchLimits } from './vectors/space-search.ts';
import { findKeysWithVector, findMissingVectors, findVectors, insertVectors } from './vectors/vectors.ts';

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

/** Each method is a step that happens as a whole, and sees the file in one state; puts that follow each other share a transaction. */
class OpenStore implements SqliteStore {
  readonly putsAtOnce = 16;
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

  /** FTS5 writes down what it has in memory whenever it is given more by a later statement: so it is given all at once. */
  readonly #insertTexts = (replaced: readonly (PutOutcome | undefined)[]): void =>
    insertText(
      this.#connection,
      replaced.flatMap((each) => each?.added ?? []),
    );

  isInPlace(): boolean {
    return this.#connection.isInPlace();
  }

  async put(
    document: DocumentRecord,
    chunks: readonly ChunkEntry[],
    manifest?: ManifestEntry,
    { vectors, replaces }: PutOptions = {},
  ): Promise<boolean> {
    assertEntries(document, chunks);
    const replace = () => {
      if (replaces && !isManifestEntry(this.#connection, replaces)) return undefined;
      if (manifest) writeManifestEntry(this.#connection, manifest);
      const replaced = replaceDocument(this.#connection, document, chunks);
      for (const [space, entries] of vectors ?? []) insertVectors(this.#connection, space, entries);
      return replaced;
    };
    const outcome = await this.#connection.writeTogether({
      weight: chunks.length,
      about: [document.id, document.uri],
      work: replace,
      finish: this.#insertTexts,
    });
    if (outcome) await this.#upkeep.afterChange({ hasRemoved: outcome.hasReplaced });
    return outcome !== undefined;
  }

  async deletePaths(uris: readonly string[]): Promise<number> {
    const count = await this.#connection.write(() => {
      removeManifestEntries(this.#connection, uris);
      return removeDocuments(this.#connection, uris);
    });
    await this.#upkeep.afterChange({ hasRemoved: true });
    return count;
  }

  async addVectors(space: string, entries: readonly VectorEntry[]): Promise<void> {
    await this.#connection.write(() => insertVectors(this.#connection, space, entries));
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

  async dropSpace(space: string): Promise<void> {
    await this.#connection.write(() => dropSpace(this.#connection, space));
    await this.#upkeep.afterChange({ hasRemoved: true });
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

  async putManifest(entries: readonly ManifestEntry[]): Promise<void> {
    await this.#connection.write(() => {
      for (const entry of entries) writeManifestEntry(this.#connection, entry);
    });
  }

  async setFact(name: string, value: string | undefined): Promise<void> {
    await this.#connection.write(() => writeFact(this.#connection, name, value));
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
