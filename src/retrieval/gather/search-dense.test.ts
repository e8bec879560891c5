import { expect, test } from 'vitest';
import type { Embedder } from '../../contracts/embedder.ts';
import type { Store } from '../../contracts/store.ts';
import { maxQueryLength } from '../../core/query.ts';
import { searchDense } from './search-dense.ts';

test('a very long query is embedded by its beginning: a model takes its time with each word', async () => {
  const embedded: string[] = [];
  const embedder = {
    fingerprint: 'space',
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return [new Float32Array([1])];
    },
  } as unknown as Embedder; // What else an embedder has is not asked for.
  const state = { revision: 1, isEmpty: false, chunks: 1, spaces: new Map(), facts: new Map() };
  const store = { state: async () => state, searchVector: async () => [] } as unknown as Store;
  const search = (query: string) =>
    searchDense(
      store,
      { embedder: async () => embedder },
      query,
      { limit: 5 },
      { warnings: [], minCovered: 0 },
    );
  await search('a'.repeat(3000));
  await search('ab'.repeat(maxQueryLength / 2));
  expect(embedded.map(({ length }) => length)).toEqual([3000, 4000]);
});
