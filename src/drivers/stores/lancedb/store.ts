import type { DriverContext } from '../../../contracts/driver.ts';
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
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { chunksByRange } from '../chunks-by-range.ts';
import { applyChanges } from './changes.ts';
import { admitted, filterCondition, rowLimit } from './filter.ts';
import type { Location } from './location.ts';
import { searchPattern } from './pattern.ts';
import { prepareSpace } from './prepare.ts';
import { isChunk, matchColumns, quoted, readMatch, readRecord } from './rows.ts';
import { IndexTable } from './table.ts';
import { searchText } from './text.ts';
import { findKeysWithVector, findMissingVectors, storedTexts } from './vectors.ts';

/** Empty rows up to which a search finds so many more and leaves them out. */
const maxSpare = 500;

/** The column holds numbers up to this one. */
const maxOrdinal = 2 ** 31 - 1;

/** Opens the index of this name, and makes it where there is none. */
export function openLanceStore(
  location: Location,
  name: string,
  context: DriverContext,
): Store & PatternSearch & SearchPreparing {
  return new LanceStore(new IndexTable(location, context, name));
}

/** One commit a change, of the one table that holds the whole index. */
class LanceStore implements Store, PatternSearch, SearchPreparing {
  /** Each commit looks at the keys of the whole table. */
  readonly commitSize = { documents: 64, chunks: 2_000 };
  readonly #table: IndexTable;

  constructor(table: IndexTable) {
    this.#table = table;
  }

  async commit(changes: Changes): Promise<Committed> {
    return this.#table.write((opened, view) => applyChanges(opened, view, changes));
  }

  async missingVectors(space: string, limit: number, after = 0): Promise<MissingVector[]> {
    return this.#table.read((opened, view) => findMissingVectors(opened, view, space, limit, after));
  }

  async keysWithVector(space: string, embeddingKeys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#table.read((opened, view) => findKeysWithVector(opened, view, space, embeddingKeys));
  }

  async vectorsOf(name: string, embeddingKeys: readonly string[]): Promise<VectorEntry[]> {
    return this.#table.read(async (opened, view) => {
      const space = (await view.spaces()).get(name);
      if (!space) return [];
      const known = await storedTexts(opened, [space], embeddingKeys);
      return [...known].flatMap(([embeddingKey, { vectors }]) => {
        const vector = vectors.get(space.column);
        return vector ? [{ embeddingKey, vector }] : [];
      });
    });
  }

  async searchVector(
    name: string,
    vector: Float32Array,
    { limit, filter }: SearchBounds,
  ): Promise<StoreMatch[]> {
    return this.#table.read(async ({ table, seal }, view) => {
      const space = (await view.spaces()).get(name);
      if (!space) return [];
      assertVector(vector, space.dimensions);
      const wanted = Math.min(rowLimit(limit), (await view.collection()).chunks);
      if (wanted === 0) return [];
      const query = table.query().nearestTo(vector).column(space.column).distanceType('cosine');
      const condition = await filterCondition(filter, view);
      // What a filter names, empty rows have not. Without one they are left out here, unless there are many.
      const spare = condition === undefined ? await view.emptyRows() : 0;
      const isCrowded = spare > maxSpare;
      if (condition !== undefined || isCrowded) query.where(condition ?? isChunk);
      const rows = await query
        // Where there is a graph: look closer than it would by itself, and score by the vectors themselves.
        .ef(Math.max(200, 4 * wanted))
        .refineFactor(2)
        .select([...matchColumns, 'kind', '_distance'])
        .limit(isCrowded ? wanted : wanted + spare)
        .toArray();
      return rows
        .filter(({ kind }) => kind === 'chunk')
        .slice(0, wanted)
        .map((row) => readMatch(seal, row, 1 - Number(row._distance)));
    });
  }

  async searchText(terms: readonly string[], bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#table.read((opened, view) => searchText(opened, view, terms, bounds));
  }

  async searchPattern(pattern: TextPattern, bounds: SearchBounds): Promise<StoreMatch[]> {
    return this.#table.read((opened, view) => searchPattern(opened, view, pattern, bounds));
  }

  async chunksIn(ranges: readonly ChunkRange[]): Promise<Chunk[][]> {
    if (ranges.length === 0) return [];
    const conditions = ranges.map(
      ({ documentId: id, first, last }) =>
        `(document = ${quoted(id)} AND ordinal >= ${Math.max(0, first)} AND ordinal <= ${Math.min(last, maxOrdinal)})`,
    );
    const chunks = await this.#table.read(async ({ table, seal }) => {
      const where = `kind = 'chunk' AND (${conditions.join(' OR ')})`;
      const rows = await table.query().where(where).select(['record']).toArray();
      return rows.map((row) => readRecord<Chunk>(seal, 'chunk', row));
    });
    return chunksByRange(chunks, ranges);
  }

  async documents(filter?: Filter): Promise<DocumentRecord[]> {
    return this.#table.read((opened, view) => admitted(opened, view, filter));
  }

  async paths(): Promise<readonly string[]> {
    return this.#table.read(async (_, view) => (await view.documents()).map(({ uri }) => uri).sort());
  }

  async manifest(): Promise<readonly ManifestEntry[]> {
    return this.#table.read(async ({ table, seal }) => {
      const rows = await table.query().where("kind = 'manifest'").select(['record']).toArray();
      return rows.map((row) => readRecord<ManifestEntry>(seal, 'manifest', row));
    });
  }

  async state(): Promise<IndexState> {
    return this.#table.read((_, view) => view.state());
  }

  async bytes(): Promise<number> {
    return this.#table.read(async ({ table }) => (await table.stats()).totalBytes);
  }

  async *prepareSearch(
    name: string,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<SearchPreparation> {
    await this.#table.optimize();
    yield* prepareSpace(this.#table, name, signal);
  }

  async close(): Promise<void> {
    await this.#table.close();
  }
}
