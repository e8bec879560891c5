import type { DriverContext } from '../../../contracts/driver.ts';
import type {
  ChunkEntry,
  ChunkVector,
  ManifestEntry,
  MissingVector,
  PutOptions,
  RepairOptions,
  SearchBounds,
  SearchPreparation,
  Store,
  StoreCapabilities,
  StoreCounts,
  StoreDefect,
  StoreMatch,
  StoreRepair,
  TextPattern,
  VectorEntry,
  VectorMove,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { assertEntries } from '../admission.ts';
import { findChunks, findNeighbours, listDocuments, removeDocuments } from './documents/documents.ts';
import { KeptAnswers } from './documents/kept-answers.ts';
import {
  isManifestEntry,
  listFacts,
  readFact,
  removeManifestEntries,
  writeFact,
  writeManifestEntry,
} from './documents/manifest.ts';
import { type PutOutcome, replaceDocument } from './documents/replace-document.ts';
import { Connection, type ConnectionOptions } from './file/connection.ts';
import { repairIndex } from './soundness/repair.ts';
import { verifyIndex } from './soundness/verify.ts';
import { searchPattern } from './text/pattern.ts';
import { insertText, searchText } from './text/text-index.ts';
import { textRows } from './text/text-upkeep.ts';
import { Upkeep } from './upkeep.ts';
import { readChunkVectors } from './vectors/chunk-vectors.ts';
import { dropSpace } from './vectors/dropped-spaces.ts';
import { NearestSearch } from './vectors/nearest.ts';
import { defaultLimits, type SearchLimits } from './vectors/space-search.ts';
import {
  copyVectors,
  embeddedChunks,
  findKeysWithVector,
  findMissingVectors,
  findSpace,
  findVectors,
  insertVectors,
  listSpaces,
} from './vectors/vectors.ts';

/** More changes than a file ever sees. */
const revisionsOfFile = 2 ** 32;

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
  readonly #kept: KeptAnswers;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, limits: SearchLimits) {
    this.#connection = connection;
    this.#upkeep = new Upkeep(connection);
    this.#kept = new KeptAnswers(connection);
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

  async shareVectors(moves: readonly VectorMove[]): Promise<void> {
    await this.#connection.write(() => copyVectors(this.#connection, moves));
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

  async dimensions(space: string): Promise<number | undefined> {
    return this.#connection.read(() => findSpace(this.#connection, space)?.dimensions);
  }

  async dropSpace(space: string): Promise<void> {
    await this.#connection.write(() => dropSpace(this.#connection, space));
    await this.#upkeep.afterChange({ hasRemoved: true });
  }

  async spaces(): Promise<string[]> {
    return this.#connection.read(() => listSpaces(this.#connection));
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

  chunkVectors(space: string, limit: number): AsyncIterable<ChunkVector> {
    return readChunkVectors(this.#connection, space, limit);
  }

  async searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#connection.read(() => searchText(this.#connection, terms, bounds));
  }

  async searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]> {
    return searchPattern(this.#connection, pattern, bounds);
  }

  async chunksOf(documentId: string): Promise<Chunk[]> {
    return this.#connection.read(() => findChunks(this.#connection, documentId));
  }

  async neighbours(
    documentId: string,
    ordinal: number,
    around: { before: number; after: number },
  ): Promise<Chunk[]> {
    return this.#connection.read(() => findNeighbours(this.#connection, documentId, ordinal, around));
  }

  async documents(filter?: Filter): Promise<DocumentRecord[]> {
    return this.#connection.read(() => listDocuments(this.#connection, filter));
  }

  async paths(): Promise<readonly string[]> {
    return this.#connection.read(() => this.#kept.paths());
  }

  async isEmpty(): Promise<boolean> {
    return this.#connection.read(() => this.#connection.get('SELECT 1 FROM documents LIMIT 1') === undefined);
  }

  async counts(space?: string): Promise<StoreCounts> {
    return this.#connection.read(() => ({
      documents: this.#number('SELECT count(*) AS value FROM documents'),
      chunks: this.#number('SELECT count(*) AS value FROM chunks'),
      embedded: space === undefined ? 0 : embeddedChunks(this.#connection, space),
      bytes: this.#number('SELECT page_count * page_size AS value FROM pragma_page_count, pragma_page_size'),
    }));
  }

  async pending(space: string): Promise<number> {
    return this.#connection.read(() => textRows(this.#connection) - embeddedChunks(this.#connection, space));
  }

  async manifest(): Promise<readonly ManifestEntry[]> {
    return this.#connection.read(() => this.#kept.manifest());
  }

  async putManifest(entries: readonly ManifestEntry[]): Promise<void> {
    await this.#connection.write(() => {
      for (const entry of entries) writeManifestEntry(this.#connection, entry);
    });
  }

  async fact(name: string): Promise<string | undefined> {
    return this.#connection.read(() => readFact(this.#connection, name));
  }

  async setFact(name: string, value: string | undefined): Promise<void> {
    await this.#kept.changeApart(() => writeFact(this.#connection, name, value));
  }

  async facts(): Promise<ReadonlyMap<string, string>> {
    return this.#connection.read(() => listFacts(this.#connection));
  }

  verify({ signal }: { readonly signal?: AbortSignal } = {}): AsyncIterable<StoreDefect> {
    return verifyIndex(this.#connection, signal);
  }

  async repair({ signal, candidate }: RepairOptions = {}): Promise<StoreRepair> {
    return repairIndex(this.#connection, signal, async () => {
      const store = await candidate?.();
      return store instanceof OpenStore ? store.#connection : undefined;
    });
  }

  async revision(): Promise<number> {
    return this.#connection.read(() => {
      // A file that is only read may have been replaced by one that was changed as often.
      const former = this.#connection.opening - 1;
      return former * revisionsOfFile + this.#number('SELECT value FROM revision');
    });
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

  #number(sql: string): number {
    return Number(this.#connection.get(sql)?.value);
  }
}
