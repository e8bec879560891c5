// How much of what exact search finds the graph finds, under filters that admit less and less, and how long both take.
// Usage: npx node bench/store/graph-filters.ts [DOCUMENTS] [QUERIES]
import { median } from '../../src/core/median.ts';
import {
  chunksEach,
  corpus,
  exactAlways,
  graphAlways,
} from '../../src/drivers/stores/sqlite/graph/corpus.fixture.ts';
import { chunkCondition } from '../../src/drivers/stores/sqlite/layout/filter.ts';
import { SpaceSearch } from '../../src/drivers/stores/sqlite/vectors/space-search.ts';
import { makeVectorQuery } from '../../src/drivers/stores/sqlite/vectors/vector-query.ts';
import { findSpace } from '../../src/drivers/stores/sqlite/vectors/vectors.ts';

const [documents = '1000', queries = '50'] = process.argv.slice(2);
const wanted = 15;
const { connection, make } = await corpus(Number(documents), 48);
const space = await connection.read(() => findSpace(connection, 'space'));
if (!space) throw new RangeError('There are no documents.');
const exact = new SpaceSearch(connection, space, exactAlways);
const graph = new SpaceSearch(connection, space, graphAlways);
const graphOnly = new SpaceSearch(connection, space, { ...graphAlways, narrowChunks: 0 });
for await (const _ of graph.prepare());

console.log(`${Number(documents) * chunksEach} vectors, ${queries} queries, ${wanted} wanted`);
console.log('| filter | way | recall | graph ms | exact ms |\n|---|---|---|---|---|');
for (const type of [undefined, 'tenth', 'hundredth', 'thousandth'])
  for (const [way, search] of Object.entries({ graph, 'graph alone': graphOnly }))
    await compare(type, way, search);
await Promise.all([exact, graph, graphOnly].map((search) => search.close()));
connection.close();

async function compare(type: string | undefined, way: string, search: SpaceSearch): Promise<void> {
  let [found, expected] = [0, 0];
  const times = { graph: [] as number[], exact: [] as number[] };
  for (let number = 0; number < Number(queries); number += 1) {
    const vector = make();
    const right = await ask(exact, vector, type, times.exact);
    const got = new Set(await ask(search, vector, type, times.graph));
    expected += right.length;
    found += right.filter((embedding) => got.has(embedding)).length;
  }
  const recall = (found / expected).toFixed(3);
  console.log(`| ${type ?? 'none'} | ${way} | ${recall} | ${shown(times.graph)} | ${shown(times.exact)} |`);
}

async function ask(
  search: SpaceSearch,
  vector: Float32Array,
  type: string | undefined,
  times: number[],
): Promise<number[]> {
  const started = performance.now();
  const found = await connection.read(() => {
    const revision = Number(connection.get('SELECT value FROM revision')?.value);
    const condition = chunkCondition(type === undefined ? undefined : { types: [type] });
    return search.nearest(makeVectorQuery(vector, wanted, condition), revision);
  });
  times.push(performance.now() - started);
  return found.map(({ embedding }) => embedding);
}

function shown(times: readonly number[]): string {
  return median(times).toFixed(2);
}
