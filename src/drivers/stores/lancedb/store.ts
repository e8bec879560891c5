import type { DriverContext } from '../../../contracts/driver.ts';
import type {
  ManifestEntry,
  PatternSearch,
  SearchBounds,
  SearchPreparing,
  Store,
  StoreMatch,
} from '../../../contracts/store.ts';
import type { Chunk } from '../../../core/chunk.ts';
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { chunksByRange } from '../chunks-by-range.ts';
import { rowLimit } from '../row-limit.ts';
import { applyChanges } from './changes.ts';
import { admitted, filterCondition } from './filter.ts';
import type { Location } from './location.ts';
import { searchPattern } from './pattern.ts';
import { prepareSpace } from './prepare.ts';
import { isChunk, matchColumns, quoted, readMatch, readRecord } from './rows.ts';
import { IndexTable, type Opened } from './table.ts';
import { searchText } from './text.ts';
import { findKeysWithVector, findMissingVectors, storedTexts } from './vectors.ts';
import type { View } from './view.ts';

/** Empty rows up to which a search finds so many more and leaves them out. */
const maxSpare = 500;

/** The column holds numbers up to this one. */
const maxOrdinal = 2 ** 31 - 1;

/** Opens the index of this name, and makes it where there is none. One commit a change, of the one table that holds the whole index. */
export function openLanceStore(
  location: Location,
  name: string,
  context: DriverContext,
): Store & PatternSearch & SearchPreparing {
  const index = new IndexTable(location, context, name);
  return {
    /** Each commit looks at the keys of the whole table. */
    commitSize: { documents: 64, chunks: 2_000 },
    commit: (changes) => index.write((opened, view) => applyChanges(opened, view, changes)),
    missingVectors: (space, limit, after = 0) =>
      index.read((opened, view) => findMissingVectors(opened, view, space, limit, after)),
    keysWithVector: (space, keys) =>
      index.read((opened, view) => findKeysWithVector(opened, view, space, keys)),
    vectorsOf: (space, keys) =>
      index.read(async (opened, view) => {
        const known = (await view.spaces()).get(space);
        if (!known) return [];
        return [...(await storedTexts(opened, [known], keys))].flatMap(([embeddingKey, { vectors }]) => {
          const vector = vectors.get(known.column);
          return vector ? [{ embeddingKey, vector }] : [];
        });
      }),
    searchVector: (space, vector, bounds) =>
      index.read((opened, view) => searchVector(opened, view, space, vector, bounds)),
    searchText: (terms, bounds) => index.read((opened, view) => searchText(opened, view, terms, bounds)),
    searchPattern: (pattern, bounds) =>
      index.read((opened, view) => searchPattern(opened, view, pattern, bounds)),
    async chunksIn(ranges) {
      if (ranges.length === 0) return [];
      const conditions = ranges.map(
        ({ documentId: id, first, last }) =>
          `(document = ${quoted(id)} AND ordinal >= ${Math.max(0, first)} AND ordinal <= ${Math.min(last, maxOrdinal)})`,
      );
      const chunks = await index.read(async ({ table, seal }) => {
        const where = `kind = 'chunk' AND (${conditions.join(' OR ')})`;
        const rows = await table.query().where(where).select(['record']).toArray();
        return rows.map((row) => readRecord<Chunk>(seal, 'chunk', row));
      });
      return chunksByRange(chunks, ranges);
    },
    documents: (filter) => index.read((opened, view) => admitted(opened, view, filter)),
    paths: () => index.read(async (_, view) => (await view.documents()).map(({ uri }) => uri).sort()),
    manifest: () =>
      index.read(async ({ table, seal }) => {
        const rows = await table.query().where("kind = 'manifest'").select(['record']).toArray();
        return rows.map((row) => readRecord<ManifestEntry>(seal, 'manifest', row));
      }),
    state: () => index.read((_, view) => view.state()),
    bytes: () => index.read(async ({ table }) => (await table.stats()).totalBytes),
    async *prepareSearch(space, { signal } = {}) {
      await index.optimize();
      yield* prepareSpace(index, space, signal);
    },
    close: () => index.close(),
  };
}

async function searchVector(
  { table, seal }: Opened,
  view: View,
  name: string,
  vector: Float32Array,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
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
}
