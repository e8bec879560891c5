import { expect, test } from 'vitest';
import { callOptions } from '../../calls/call-options.ts';
import { searchDefaults, searchFields } from '../../core/search-options.ts';
import { camelCased } from '../../core/text/camel-case.ts';
import { settingsSchema } from '../../settings/settings.ts';
import { searchOptionsOf } from './retrieval.ts';
import { searchOperation } from './search.ts';

const chosen = {
  top_k: 7,
  threshold: 0.25,
  route: 'hybrid',
  dense_weight: 0,
  embedder: 'other',
  by_document: false,
} as const;

test('an option of a search is a field of the operation and an option of the library; one with a default is a setting', () => {
  expect(Object.keys(chosen).sort()).toEqual(Object.keys(searchFields).sort());
  expect(searchOperation.input.parse({ query: 'tides', ...chosen })).toMatchObject(chosen);
  const options = searchOptionsOf(chosen);
  expect(options).toEqual(camelCased(chosen));
  expect(callOptions.search.parse(options)).toEqual(options);
  expect(settingsSchema.shape.search.parse({})).toMatchObject({ top_k: 5, by_document: true });
  expect(Object.keys(settingsSchema.shape.search.unwrap().shape)).toEqual(
    expect.arrayContaining(Object.keys(searchDefaults)),
  );
});

test('a search by words alone makes no vectors first, whichever option says so', async () => {
  const asked: boolean[] = [];
  const project = {
    // biome-ignore lint/correctness/useYield: nothing is indexed here.
    async *freshen({ vectors }: { vectors: boolean }) {
      asked.push(vectors);
      return { warnings: [] };
    },
    search: async () => ({ hits: [], warnings: [], pending: 0 }),
  };
  for (const input of [{ dense_weight: 0 }, { route: 'text' }, {}]) {
    const parsed = searchOperation.input.parse({ query: 'tides', ...input });
    await searchOperation.run(project as never, parsed, {}).next();
  }
  expect(asked).toEqual([false, false, true]);
});
