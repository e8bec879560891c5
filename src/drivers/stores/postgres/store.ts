import type { Fences } from '../../../contracts/leases.ts';
import type {
  Changes,
  ChunkRange,
  Committed,
  IndexState,
  ManifestEntry,
  MissingVector,
  PatternSearch,
  SearchBounds,
  SearchPreparation,
  SearchPreparing,
  Store,
  StoreMatch,
  TextPattern,
  VectorEntry,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import type { Filter } from '../../../core/filter.ts';
import { closedStore } from '../closed-store.ts';
import { spacesByName } from '../spaces-by-name.ts';
import { documentColumns, matchColumns, type Row } from '../sql-rows.ts';
import { applyChanges } from './changes.ts';
import { isGone } from './failures.ts';
import { documentCondition, Values } from './filter.ts';
import { prepareIndex } from './layout.ts';
import { checkFences } from './leases.ts';
import { indexSchema, type Names, projectSchema } from './names.ts';
import { buildGraph, searchNearest } from './nearest.ts';
import { searchPattern } from './pattern.ts';
import type { Ask, Pool } from './pool.ts';
import { readChunk, readDocument, readManifestEntry, readText, writeText } from './rows.ts';
import { textRecipe } from './terms.ts';
import { renewTerms, searchText } from './text.ts';
import { findKeysWithVector, findMissingVectors, findVectors } from './vectors.ts';

/** What this store offers beyond the core. */
export type PostgresStore = Store & PatternSearch & SearchPreparing;

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

/** One statement a read, one transaction a write. */
class OpenStore implements PostgresStore {
  readonly #pool: Pool;
  readonly #names: Names;
  readonly #project: string;
  readonly #schema: string;
  readonly #release: () => Promise<void>;
  readonly #closing = new AbortController();
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

  async commit(changes: Changes): Promise<Committed> {
    return this.#write((ask) => applyChanges(ask, this.#names, changes), changes.fences);
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

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    const { index } = this.#names;
    const rows: Row[] = await this.#read(
      `SELECT r.place AS range, ${matchColumns}
       FROM unnest($1::text[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS r (id, first, last, place)
       JOIN ${index}.documents d ON d.id = r.id
       JOIN ${index}.chunks c ON c.document = d.number AND c.ordinal BETWEEN r.first AND r.last
       ORDER BY r.place, c.ordinal`,
      [
        ranges.map(({ documentId }) => writeText(documentId)),
        ranges.map(({ first }) => first),
        ranges.map(({ last }) => last),
      ],
    );
    const byRange = Map.groupBy(rows, ({ range }) => Number(range));
    return ranges.map((_, at) => (byRange.get(at + 1) ?? []).map(readChunk));
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

  async paths(): Promise<string[]> {
    const rows = await this.#read(`SELECT uri FROM ${this.#names.index}.documents`);
    return rows.map(({ uri }) => readText(uri)).sort();
  }

  async manifest(): Promise<readonly ManifestEntry[]> {
    const rows = await this.#read(`SELECT * FROM ${this.#names.index}.manifest ORDER BY uri`);
    return rows.map(readManifestEntry);
  }

  async state(): Promise<IndexState> {
    const { index } = this.#names;
    const [row] = await this.#read(
      `SELECT s.revision, s.chunks, NOT EXISTS (SELECT 1 FROM ${index}.documents) AS is_empty,
         (SELECT json_agg(json_build_array(name, dimensions, embedded)) FROM ${index}.spaces) AS spaces,
         (SELECT json_agg(json_build_array(name, value)) FROM ${index}.facts) AS facts
       FROM ${index}.state s`,
    );
    // The columns hold what this store wrote there itself.
    const spaces = (row?.spaces ?? []) as [name: string, dimensions: number, embedded: number][];
    const facts = (row?.facts ?? []) as [name: string, value: string][];
    return {
      revision: Number(row?.revision),
      isEmpty: row?.is_empty === true,
      chunks: Number(row?.chunks),
      spaces: spacesByName(
        spaces.map(([name, dimensions, embedded]) => [readText(name), { dimensions, embedded }]),
      ),
      facts: new Map(facts.map(([name, value]) => [readText(name), readText(value)])),
    };
  }

  async bytes(): Promise<number> {
    const [row] = await this.#read(
      `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relkind = 'r'`,
      [this.#schema],
    );
    return Number(row?.bytes);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#release();
  }

  readonly #read: Ask = (statement, values) => this.#noticing(() => this.#pool.read(statement, values));

  /** A transaction in which this process is the one writer, and still holds the leases that it has taken. */
  async #write<Result>(work: (ask: Ask) => Promise<Result>, fences?: Fences): Promise<Result> {
    return this.#noticing(() =>
      this.#pool.transaction(async (ask) => {
        await checkFences(ask, this.#project, fences);
        await ask(`UPDATE ${this.#names.index}.state SET revision = revision + 1`);
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
}
