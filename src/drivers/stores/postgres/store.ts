import type {
  ChunkEntry,
  ChunkVector,
  ManifestEntry,
  MissingVector,
  PatternSearch,
  PutOptions,
  SearchBounds,
  SearchPreparation,
  SearchPreparing,
  Store,
  StoreCounts,
  StoreMatch,
  TextPattern,
  VectorEntry,
  VectorMove,
  VectorReading,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { assertEntries, closedStore } from '../admission.ts';
import { documentColumns, matchColumns, type Row } from '../sql-rows.ts';
import {
  isManifestEntry,
  removeDocuments,
  removeManifest,
  replaceDocument,
  writeManifest,
} from './documents.ts';
import { isGone } from './failures.ts';
import { documentCondition, Values } from './filter.ts';
import { prepareIndex } from './layout.ts';
import { checkLeases } from './leases.ts';
import { indexSchema, type Names, projectSchema } from './names.ts';
import { buildGraph, searchNearest } from './nearest.ts';
import { searchPattern } from './pattern.ts';
import type { Ask, Pool } from './pool.ts';
import { readChunk, readDocument, readManifestEntry, readText, writeText } from './rows.ts';
import { textRecipe } from './terms.ts';
import { renewTerms, searchText } from './text.ts';
import {
  copyVectors,
  findKeysWithVector,
  findMissingVectors,
  findSpace,
  findVectors,
  insertVectors,
  readChunkVectors,
} from './vectors.ts';

/** What this store offers beyond the core. */
export type PostgresStore = Store & PatternSearch & SearchPreparing & VectorReading;

/** Opens an index of a project, and makes it where it is absent. */
export async function openPostgresStore(
  pool: Pool,
  collection: string,
  index: string,
): Promise<PostgresStore> {
  const release = pool.hold();
  try {
    const project = projectSchema(collection);
    const schema = indexSchema(collection, index);
    const names = await prepareIndex(pool, project, schema, index);
    const store = new OpenStore(pool, names, project, schema, release);
    await store.renewText();
    return store;
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

/** What a change of the documents notes beside its revision, by which readers see that the list of paths is another. */
const otherDocuments = ', documents_revision = revision + 1';

/** One statement a read, one transaction a write. */
class OpenStore implements PostgresStore {
  readonly #pool: Pool;
  readonly #names: Names;
  readonly #project: string;
  readonly #schema: string;
  readonly #release: () => Promise<void>;
  readonly #closing = new AbortController();
  #paths: { readonly revision: string; readonly list: readonly string[] } | undefined;
  #isGone = false;

  constructor(pool: Pool, names: Names, project: string, schema: string, release: () => Promise<void>) {
    this.#pool = pool;
    this.#names = names;
    this.#project = project;
    this.#schema = schema;
    this.#release = release;
  }

  isInPlace(): boolean {
    return !this.#isGone;
  }

  /** Makes the words of the chunks again where another version made them. */
  async renewText(): Promise<void> {
    const [state] = await this.#read(`SELECT text_recipe FROM ${this.#names.index}.state`);
    if (state?.text_recipe !== textRecipe()) await this.#write((ask) => renewTerms(ask, this.#names));
  }

  async put(
    document: DocumentRecord,
    chunks: readonly ChunkEntry[],
    manifest?: ManifestEntry,
    { vectors, replaces }: PutOptions = {},
  ): Promise<boolean> {
    assertEntries(document, chunks);
    return this.#write(async (ask) => {
      if (replaces && !(await isManifestEntry(ask, this.#names, replaces))) return false;
      if (manifest) await writeManifest(ask, this.#names, [manifest]);
      await replaceDocument(ask, this.#names, document, chunks);
      for (const [space, entries] of vectors ?? []) await insertVectors(ask, this.#names, space, entries);
      return true;
    }, otherDocuments);
  }

  async deletePaths(uris: readonly string[]): Promise<number> {
    return this.#write(async (ask) => {
      await removeManifest(ask, this.#names, uris);
      return removeDocuments(ask, this.#names, uris);
    }, otherDocuments);
  }

  async addVectors(space: string, entries: readonly VectorEntry[]): Promise<void> {
    await this.#write((ask) => insertVectors(ask, this.#names, space, entries));
  }

  async shareVectors(moves: readonly VectorMove[]): Promise<void> {
    await this.#write((ask) => copyVectors(ask, this.#names, moves));
  }

  async missingVectors(space: string, limit: number, after = 0): Promise<MissingVector[]> {
    return findMissingVectors(this.#read, this.#names, space, limit, after);
  }

  async keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>> {
    return findKeysWithVector(this.#read, this.#names, space, embeddingKeys);
  }

  async vectorsOf(space: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]> {
    return findVectors(this.#read, this.#names, space, embeddingKeys);
  }

  async dimensions(space: string): Promise<number | undefined> {
    return (await findSpace(this.#read, this.#names, space))?.dimensions;
  }

  async dropSpace(space: string): Promise<void> {
    await this.#write(async (ask) => {
      const known = await findSpace(ask, this.#names, space);
      if (!known) return;
      const { index } = this.#names;
      await ask(`DROP INDEX IF EXISTS ${index}.graph_${known.number}`);
      await ask(`DELETE FROM ${index}.vectors WHERE space = $1`, [known.number]);
      await ask(`DELETE FROM ${index}.spaces WHERE number = $1`, [known.number]);
    });
  }

  async spaces(): Promise<string[]> {
    const rows = await this.#read(`SELECT name FROM ${this.#names.index}.spaces`);
    return rows.map(({ name }) => readText(name)).sort();
  }

  async searchVector(space: string, vector: Float32Array, bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#noticing(() => searchNearest(this.#pool, this.#names, space, vector, bounds));
  }

  async searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]> {
    return searchText(this.#read, this.#names, terms, bounds);
  }

  async searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]> {
    return searchPattern(this.#read, this.#names, pattern, bounds);
  }

  async *prepareSearch(
    space: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<SearchPreparation> {
    const ends = [this.#closing.signal, ...(signal ? [signal] : [])];
    yield* buildGraph(this.#pool, this.#names, this.#schema, space, AbortSignal.any(ends));
  }

  chunkVectors(space: string, limit: number): AsyncIterable<ChunkVector> {
    return readChunkVectors(this.#read, this.#names, space, limit);
  }

  async chunksOf(documentId: string): Promise<Chunk[]> {
    return this.#chunksWhere('d.id = $1', [writeText(documentId)]);
  }

  async neighbours(
    documentId: string,
    ordinal: number,
    { before, after }: { before: number; after: number },
  ): Promise<Chunk[]> {
    const found = await this.#chunksWhere('d.id = $1 AND c.ordinal BETWEEN $2::bigint AND $3::bigint', [
      writeText(documentId),
      ordinal - Math.max(0, before),
      ordinal + Math.max(0, after),
    ]);
    return found.some((chunk) => chunk.ordinal === ordinal) ? found : [];
  }

  async documents(filter: Filter = {}): Promise<DocumentRecord[]> {
    const values = new Values();
    const condition = documentCondition(this.#names, filter, values);
    const rows = await this.#read(
      `SELECT ${documentColumns} FROM ${this.#names.index}.documents d WHERE ${condition} ORDER BY d.number`,
      values.all,
    );
    return rows.map(readDocument);
  }

  async paths(): Promise<readonly string[]> {
    const { index } = this.#names;
    const [state] = await this.#read(`SELECT documents_revision FROM ${index}.state`);
    const revision = String(state?.documents_revision);
    if (this.#paths?.revision === revision) return this.#paths.list;
    const rows = await this.#read(`SELECT uri FROM ${index}.documents`);
    const list = rows.map(({ uri }) => readText(uri)).sort();
    this.#paths = { revision, list };
    return list;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#read(`SELECT 1 FROM ${this.#names.index}.documents LIMIT 1`)).length === 0;
  }

  async counts(space?: string): Promise<StoreCounts> {
    const { index } = this.#names;
    const [row] = await this.#read(
      `SELECT (SELECT count(*) FROM ${index}.documents) AS documents, s.chunks,
         coalesce((SELECT embedded FROM ${index}.spaces WHERE name = $1), 0) AS embedded,
         (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE n.nspname = $2 AND c.relkind = 'r') AS bytes
       FROM ${index}.state s`,
      [space === undefined ? null : writeText(space), this.#schema],
    );
    return {
      documents: Number(row?.documents),
      chunks: Number(row?.chunks),
      embedded: Number(row?.embedded),
      bytes: Number(row?.bytes),
    };
  }

  async pending(space: string): Promise<number> {
    const { index } = this.#names;
    const [row] = await this.#read(
      `SELECT chunks - coalesce((SELECT embedded FROM ${index}.spaces WHERE name = $1), 0) AS pending
       FROM ${index}.state`,
      [writeText(space)],
    );
    return Number(row?.pending);
  }

  async manifest(): Promise<readonly ManifestEntry[]> {
    const rows = await this.#read(`SELECT * FROM ${this.#names.index}.manifest ORDER BY uri`);
    return rows.map(readManifestEntry);
  }

  async putManifest(entries: readonly ManifestEntry[]): Promise<void> {
    await this.#write((ask) => writeManifest(ask, this.#names, entries));
  }

  async fact(name: string): Promise<string | undefined> {
    const [row] = await this.#read(`SELECT value FROM ${this.#names.index}.facts WHERE name = $1`, [
      writeText(name),
    ]);
    return row && readText(row.value);
  }

  async setFact(name: string, value: string | undefined): Promise<void> {
    const facts = `${this.#names.index}.facts`;
    await this.#write(async (ask) => {
      if (value === undefined)
        return void (await ask(`DELETE FROM ${facts} WHERE name = $1`, [writeText(name)]));
      await ask(
        `INSERT INTO ${facts} VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        [writeText(name), writeText(value)],
      );
    });
  }

  async facts(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#read(`SELECT name, value FROM ${this.#names.index}.facts`);
    return new Map(rows.map(({ name, value }) => [readText(name), readText(value)]));
  }

  async revision(): Promise<number> {
    const [row] = await this.#read(`SELECT revision FROM ${this.#names.index}.state`);
    return Number(row?.revision);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#release();
  }

  readonly #read: Ask = (statement, values) => this.#noticing(() => this.#pool.read(statement, values));

  /** A transaction in which this process is the one writer, and still holds the locks that it has taken. */
  async #write<Result>(work: (ask: Ask) => Promise<Result>, noting = ''): Promise<Result> {
    return this.#noticing(() =>
      this.#pool.transaction(async (ask) => {
        await checkLeases(ask, this.#pool, this.#project);
        await ask(`UPDATE ${this.#names.index}.state SET revision = revision + 1 ${noting}`);
        return work(ask);
      }),
    );
  }

  async #noticing<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing.signal.aborted) throw closedStore();
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof Error && isGone(thrown.cause)) this.#isGone = true;
      throw thrown;
    }
  }

  async #chunksWhere(condition: string, values: readonly unknown[]): Promise<Chunk[]> {
    const { index } = this.#names;
    const rows: Row[] = await this.#read(
      `SELECT ${matchColumns} FROM ${index}.documents d JOIN ${index}.chunks c ON c.document = d.number
       WHERE ${condition} ORDER BY c.ordinal`,
      values,
    );
    return rows.map(readChunk);
  }
}
