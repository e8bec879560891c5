import type { Filter } from '../../../../core/filter.ts';
import type { Connection } from '../file/connection.ts';
import { graphAlways, makeGraph } from '../graph/corpus.fixture.ts';
import { chunkCondition } from '../layout/filter.ts';
import type { Neighbour } from './matrix.ts';
import { SpaceSearch } from './space-search.ts';
import { makeVectorQuery } from './vector-query.ts';
import { findSpace } from './vectors.ts';

/** The search in the space of a corpus. */
export async function spaceSearch(
  connection: Connection,
  limits: typeof graphAlways,
  clock?: { now(): number },
): Promise<SpaceSearch> {
  const space = await connection.read(() => findSpace(connection, 'space'));
  return new SpaceSearch(connection, space ?? { number: 0, dimensions: 0 }, limits, clock);
}

/** The same, with a graph of all its vectors. */
export async function preparedGraph(connection: Connection, limits: Partial<typeof graphAlways> = {}) {
  await makeGraph(connection);
  return spaceSearch(connection, { ...graphAlways, ...limits });
}

/** The nearest in the index as it is now. */
export function ask(
  connection: Connection,
  search: SpaceSearch,
  vector: Float32Array,
  filter?: Filter,
  limit = 10,
): Promise<Neighbour[]> {
  return connection.read(() => {
    const revision = Number(connection.get('SELECT value FROM revision')?.value);
    return search.nearest(makeVectorQuery(vector, limit, chunkCondition(filter)), revision);
  });
}

/** Waits until there is a graph where one is wanted. */
export async function prepare(search: SpaceSearch): Promise<void> {
  await collect(search.prepare());
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
