import type { SearchPreparation } from '../../../contracts/store.ts';
import { interrupted } from '../../../core/errors.ts';
import { type IndexTable, tidy } from './table.ts';

/** Below this many vectors all are compared in some ten milliseconds. */
const minVectors = 50_000;
/** A graph covers what it was built from; more than this share beyond it and it is built again. */
const tolerance = 0.3;

/** Builds a graph of the space where it is large, and scalar indexes for its filters. */
export async function* prepareSpace(
  index: IndexTable,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SearchPreparation> {
  const found = await index.read(async ({ table }, view) => {
    const space = (await view.spaces()).get(name);
    const total = (await view.state()).spaces.get(name)?.embedded ?? 0;
    if (!space || total < minVectors) return undefined;
    const stats = await table.indexStats(`${space.column}_idx`);
    const isCovered = stats !== undefined && stats.numUnindexedRows <= tolerance * total;
    return isCovered ? undefined : { column: space.column, total };
  });
  if (!found) return;
  if (signal?.aborted) throw interrupted(signal.reason);
  const { column, total } = found;
  yield { done: 0, total };
  await index.build(async ({ loaded: { lance }, table }) => {
    for (const [name, config] of [
      ...['document', 'embedding_key'].map((name) => [name, lance.Index.btree()] as const),
      // Columns of few values, which filters name.
      ...['kind', 'type', 'origin', 'language', 'symbol_kind'].map(
        (name) => [name, lance.Index.bitmap()] as const,
      ),
    ]) {
      if ((await table.indexStats(`${name}_idx`)) === undefined) await table.createIndex(name, { config });
    }
    // Files of rows that an index covers are put together by the next call alone. If that came after the graph, it would be built again.
    await tidy(table);
    // One graph: with several, a search under a filter misses what lies in those it does not enter.
    const config = lance.Index.hnswSq({ distanceType: 'cosine', numPartitions: 1 });
    await table.createIndex(column, { config, replace: true });
  });
  yield { done: total, total };
}
