import type { Fences } from '../../../contracts/leases.ts';
import type { PatternSearch, SearchBounds, SearchPreparing, Store } from '../../../contracts/store.ts';
import { closedStore } from '../closed-store.ts';
import { spacesByName } from '../spaces-by-name.ts';
import { documentColumns, matchColumns, type Row } from '../sql-rows.ts';
import { applyChanges } from './changes.ts';
import { isGone } from './failures.ts';
import { compareOwnFields, documentCondition, Values } from './filter.ts';
import { prepareIndex } from './layout.ts';
import { checkFences } from './leases.ts';
import { indexSchema, projectSchema } from './names.ts';
import { buildGraph, searchNearest } from './nearest.ts';
import { searchPattern } from './pattern.ts';
import type { Ask, Pool } from './pool.ts';
import { readChunk, readDocument, readManifestEntry, readText, writeText } from './rows.ts';
import { textRecipe } from './terms.ts';
import { renewTerms, searchText } from './text.ts';
import { findKeysWithVector, findMissingVectors, findVectors } from './vectors.ts';

/** What this store offers beyond the core. */
export type PostgresStore = Store & PatternSearch & SearchPreparing;

/** Opens an index of a project, and makes it where it is absent. One statement a read, one transaction a write. */
export async function openPostgresStore(
  pool: Pool,
  collection: string,
  indexName: string,
): Promise<PostgresStore> {
  const release = pool.hold();
  const closing = new AbortController();
  const project = projectSchema(collection);
  const schema = indexSchema(collection, indexName);
  let isPresent = true;
  const noticing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closing.signal.aborted) throw closedStore();
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof Error && isGone(thrown.cause)) isPresent = false;
      throw thrown;
    }
  };
  const read: Ask = (statement, values) => noticing(() => pool.read(statement, values));
  try {
    const names = await prepareIndex(pool, project, schema, indexName);
    const { index } = names;
    /** A transaction in which this process is the one writer, and still holds the leases that it has taken. */
    const write = <Result>(work: (ask: Ask) => Promise<Result>, fences?: Fences): Promise<Result> =>
      noticing(() =>
        pool.transaction(async (ask) => {
          await checkFences(ask, project, fences);
          await ask(`UPDATE ${index}.state SET revision = revision + 1`);
          return work(ask);
        }),
      );
    const compared = async (bounds: SearchBounds): Promise<SearchBounds> => {
      const filter = await compareOwnFields(read, names, bounds.filter);
      return filter ? { ...bounds, filter } : bounds;
    };
    const [state] = await read(`SELECT text_recipe FROM ${index}.state`);
    // Words that another version made are made again.
    if (state?.text_recipe !== textRecipe()) await write((ask) => renewTerms(ask, names));
    return {
      isInPlace: () => isPresent,
      commit: (changes) => write((ask) => applyChanges(ask, names, changes), changes.fences),
      missingVectors: (space, limit, after = 0) => findMissingVectors(read, names, space, limit, after),
      keysWithVector: (space, keys) => findKeysWithVector(read, names, space, keys),
      vectorsOf: (space, keys) => findVectors(read, names, space, keys),
      searchVector: (space, vector, bounds) =>
        noticing(async () => searchNearest(pool, names, space, vector, await compared(bounds))),
      searchText: async (terms, bounds) => searchText(read, names, terms, await compared(bounds)),
      searchPattern: async (pattern, bounds) => searchPattern(read, names, pattern, await compared(bounds)),
      async *prepareSearch(space, { signal } = {}) {
        const ends = [closing.signal, ...(signal ? [signal] : [])];
        yield* buildGraph(pool, names, schema, space, AbortSignal.any(ends));
      },
      async chunksIn(ranges) {
        const rows: Row[] = await read(
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
      },
      async documents(filter = {}) {
        const values = new Values();
        const condition = documentCondition(
          names,
          (await compareOwnFields(read, names, filter)) ?? {},
          values,
        );
        const statement = `SELECT ${documentColumns} FROM ${index}.documents d WHERE ${condition} ORDER BY d.number`;
        return (await read(statement, values.all)).map(readDocument);
      },
      async paths() {
        const rows = await read(`SELECT uri FROM ${index}.documents`);
        return rows.map(({ uri }) => readText(uri)).sort();
      },
      async manifest() {
        return (await read(`SELECT * FROM ${index}.manifest ORDER BY uri`)).map(readManifestEntry);
      },
      async state() {
        const [row] = await read(
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
      },
      async bytes() {
        const [row] = await read(
          `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relkind = 'r'`,
          [schema],
        );
        return Number(row?.bytes);
      },
      async close() {
        if (closing.signal.aborted) return;
        closing.abort();
        await release();
      },
    };
  } catch (thrown) {
    await release();
    throw thrown;
  }
}
