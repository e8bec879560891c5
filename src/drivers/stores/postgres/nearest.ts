import type { SearchBounds, SearchPreparation, StoreMatch } from '../../../contracts/store.ts';
import { interrupted } from '../../../core/errors.ts';
import { assertVector } from '../../../core/vectors/assert-vector.ts';
import { systemClock } from '../../../platform/clock.ts';
import { rowLimit } from '../row-limit.ts';
import { matchColumns } from '../sql-rows.ts';
import { chunkCondition, Values } from './filter.ts';
import { type Names, quoted } from './names.ts';
import type { Ask, Pool } from './pool.ts';
import { readMatch } from './rows.ts';
import { findSpace, type Space, vectorText } from './vectors.ts';

/** Vectors from which on a space gets a graph; fewer are compared one by one in a few milliseconds. */
const minForGraph = 10_000;
/** Longer vectors have no graph in pgvector. */
const maxInGraph = 4000;
/** Admitted chunks up to which a filtered search compares them one by one, which misses none. */
const maxCompared = 10_000;
/**
 * Candidates that a search of the graph keeps in sight: at 200 it misses about two in a hundred of 100,000 vectors, and one in
 * eight of a million.
 */
const minInSight = 200;
const minAmongMany = 500;
const manyVectors = 300_000;
const maxInSight = 1000;
/** Milliseconds between two looks at how far a graph is. */
const lookAgainAfter = 300;

/** The nearest chunks by cosine. */
export async function searchNearest(
  pool: Pool,
  names: Names,
  name: string,
  vector: Float32Array,
  { limit, filter }: SearchBounds,
): Promise<StoreMatch[]> {
  const wanted = rowLimit(limit);
  const space = await findSpace(pool.read.bind(pool), names, name);
  if (!space) return [];
  assertVector(vector, space.dimensions);
  if (wanted === 0) return [];
  return pool.transaction(async (ask) => {
    const walking = names.walksOn ? ", set_config('hnsw.iterative_scan', 'relaxed_order', true)" : '';
    // The number of rows as PostgreSQL remembers it, which costs nothing to ask for.
    await ask(
      `SELECT set_config('hnsw.ef_search', least(${maxInSight}, greatest($1::int,
         CASE WHEN reltuples < ${manyVectors} THEN ${minInSight} ELSE ${minAmongMany} END))::text, true)${walking}
       FROM pg_class WHERE oid = to_regclass($2)`,
      [Math.min(maxInSight, 2 * wanted), `${names.index}.vectors`],
    );
    if (!filter) return nearestOfAll(ask, names, space, vector, wanted);
    const admitted = await countAdmitted(ask, names, filter);
    if (admitted === 0) return [];
    const isFew = admitted <= maxCompared;
    const found = await nearestAdmitted(ask, names, space, vector, { limit: wanted, filter }, isFew);
    // The graph gives up after a while; who asks for few of many must not get fewer than there are.
    if (isFew || found.length >= wanted) return found;
    return nearestAdmitted(ask, names, space, vector, { limit: wanted, filter }, true);
  });
}

/** How far a vector is from the query, in the words of the graph's index. */
function distanceOf({ vector }: Names, { dimensions }: Space, query: string): string {
  const type = `${vector}.halfvec(${dimensions})`;
  return `(v.vector::${type} OPERATOR(${vector}.<=>) ${query}::text::${type})`;
}

async function nearestOfAll(
  ask: Ask,
  names: Names,
  space: Space,
  vector: Float32Array,
  wanted: number,
): Promise<StoreMatch[]> {
  // As many texts as chunks are wanted: each stands in one chunk at least. Relaxed order is sorted out afterwards.
  const rows = await ask(
    `WITH nearest AS MATERIALIZED (
       SELECT v.embedding, ${distanceOf(names, space, '$1')} AS distance FROM ${names.index}.vectors v
       WHERE v.space = ${space.number} ORDER BY ${distanceOf(names, space, '$1')} LIMIT $2
     )
     SELECT 1 - nearest.distance AS score, ${matchColumns} FROM nearest
     JOIN ${names.index}.chunks c ON c.embedding = nearest.embedding
     JOIN ${names.index}.documents d ON d.number = c.document
     ORDER BY nearest.distance, c.number LIMIT $2`,
    [vectorText(vector), wanted],
  );
  return rows.map(readMatch);
}

async function nearestAdmitted(
  ask: Ask,
  names: Names,
  space: Space,
  vector: Float32Array,
  { limit, filter = {} }: SearchBounds,
  isExact: boolean,
): Promise<StoreMatch[]> {
  const values = new Values();
  const query = values.add(vectorText(vector));
  const wanted = values.add(limit);
  const distance = distanceOf(names, space, query);
  const rows = await ask(
    `WITH nearest AS MATERIALIZED (
       SELECT c.number, ${distance} AS distance FROM ${names.index}.vectors v
       JOIN ${names.index}.chunks c ON c.embedding = v.embedding
       JOIN ${names.index}.documents d ON d.number = c.document
       WHERE v.space = ${space.number} AND ${chunkCondition(filter, values)}
       -- A sum is not what the graph is ordered by: with it every admitted vector is compared.
       ORDER BY ${isExact ? `${distance} + 0` : distance} LIMIT ${wanted}
     )
     SELECT 1 - nearest.distance AS score, ${matchColumns} FROM nearest
     JOIN ${names.index}.chunks c ON c.number = nearest.number
     JOIN ${names.index}.documents d ON d.number = c.document ORDER BY nearest.distance, c.number`,
    values.all,
  );
  return rows.map(readMatch);
}

/** How many chunks a filter admits, as far as it matters. */
async function countAdmitted(
  ask: Ask,
  { index }: Names,
  filter: NonNullable<SearchBounds['filter']>,
): Promise<number> {
  const values = new Values();
  const [row] = await ask(
    `SELECT count(*) AS admitted FROM (
       SELECT 1 FROM ${index}.documents d JOIN ${index}.chunks c ON c.document = d.number
       WHERE ${chunkCondition(filter, values)} LIMIT ${maxCompared + 1}
     ) counted`,
    values.all,
  );
  return Number(row?.admitted);
}

/** Builds the graph of a space where it has many vectors and no graph yet; others read and write meanwhile. */
export async function* buildGraph(
  pool: Pool,
  names: Names,
  schema: string,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<SearchPreparation> {
  const read = pool.read.bind(pool);
  const space = await findSpace(read, names, name);
  if (!space || space.dimensions > maxInGraph) return;
  const [counted] = await read(
    `SELECT count(*) AS vectors FROM (SELECT 1 FROM ${names.index}.vectors WHERE space = $1 LIMIT ${minForGraph}) counted`,
    [space.number],
  );
  const graph = `graph_${space.number}`;
  if (Number(counted?.vectors) < minForGraph || (await isValid(read, schema, graph))) return;
  const progress = { done: 0, total: 0, hasEnded: false };
  const building = build(pool, names, schema, graph, space, signal).finally(() => {
    progress.hasEnded = true;
  });
  // It is awaited below, once its progress has been emitted.
  building.catch(() => {});
  while (!progress.hasEnded) {
    const [row] = await read(
      `SELECT tuples_done AS done, tuples_total AS total FROM pg_stat_progress_create_index p
       WHERE p.relid = to_regclass($1)`,
      [`${names.index}.vectors`],
    );
    if (row) yield { done: Number(row.done), total: Math.max(Number(row.done), Number(row.total)) };
    // Here only its end counts; why it failed is thrown below.
    await Promise.race([building.catch(() => {}), systemClock.wait(lookAgainAfter)]);
  }
  await building;
}

async function build(
  pool: Pool,
  names: Names,
  schema: string,
  graph: string,
  { number, dimensions }: Space,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw interrupted(signal.reason);
  await pool.alone(async (ask, cancel) => {
    signal.addEventListener('abort', cancel, { once: true });
    const path = `${names.index}.${quoted(graph)}`;
    // Two servers that finish a run at once build it one after the other; the second one finds it built.
    const lock = `hashtextextended('${schema.replaceAll("'", "''")}/${graph}', 0)`;
    try {
      await ask(`SELECT pg_advisory_lock(${lock})`);
      if (await isValid(ask, schema, graph)) return;
      // A graph that does not fit is built much more slowly; a server that allows more is taken at its word.
      await ask(
        `SELECT set_config('maintenance_work_mem', '512MB', false)
         WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('512MB')`,
      );
      // What a build that was stopped has left is of no use to anybody.
      await ask(`DROP INDEX CONCURRENTLY IF EXISTS ${path}`);
      const type = `${names.vector}.halfvec(${dimensions})`;
      await ask(
        `CREATE INDEX CONCURRENTLY ${quoted(graph)} ON ${names.index}.vectors
         USING hnsw ((vector::${type}) ${names.vector}.halfvec_cosine_ops) WHERE space = ${number}`,
      );
    } catch (thrown) {
      if (signal.aborted) throw interrupted(signal.reason);
      throw thrown;
    } finally {
      signal.removeEventListener('abort', cancel);
      // A connection that is lost has given both back by itself.
      await ask(`SELECT pg_advisory_unlock(${lock})`).catch(() => {});
      await ask('RESET maintenance_work_mem').catch(() => {});
    }
  });
}

async function isValid(ask: Ask, schema: string, graph: string): Promise<boolean> {
  const rows = await ask(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 AND i.indisvalid`,
    [schema, graph],
  );
  return rows.length > 0;
}
