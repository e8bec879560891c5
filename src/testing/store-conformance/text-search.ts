import assert from 'node:assert/strict';
import { queryTerms, terms } from '../../core/text/terms.ts';
import { deletePaths, putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../documents.ts';
import { assertOrdered, putTexts, type StoreCheck, space, storeChecks, textsOf } from './store-check.ts';

/** Checks of text search. */
export const textSearchChecks: readonly StoreCheck[] = [
  ...storeChecks({
    'finds text before any vector is there': async (store) => {
      await putTexts(store, 'a.md', ['the quick brown fox', 'a lazy dog']);
      assert.deepEqual(textsOf(await store.searchText(['fox'], { limit: 10 })), ['the quick brown fox']);
      assert.deepEqual(await store.searchVector(space, Float32Array.of(1, 0), { limit: 10 }), []);
    },
    'finds chunks with any of the terms, those with more and rarer ones first': async (store) => {
      await putTexts(store, 'a.md', [
        'walrus and ocean',
        'ocean and beach with sand',
        'ocean again and again',
        'nothing of the kind',
      ]);
      const found = await store.searchText(['ocean', 'walrus', 'zeppelin'], { limit: 10 });
      assert.equal(found.length, 3);
      assert.equal(found[0]?.chunk.text, 'walrus and ocean');
      assertOrdered(found);
    },
    'lets a term that is given twice count twice': async (store) => {
      await putTexts(store, 'a.md', ['walrus', 'ocean', 'nothing', 'of', 'the', 'kind']);
      const best = async (words: readonly string[]) =>
        (await store.searchText(words, { limit: 1 }))[0]?.chunk.text;
      assert.equal(await best(['walrus', 'ocean', 'ocean']), 'ocean');
      assert.equal(await best(['ocean', 'walrus', 'walrus']), 'walrus');
    },
    'gives no more text matches than asked for': async (store) => {
      await putTexts(
        store,
        'a.md',
        Array.from({ length: 20 }, (_, index) => `common ${index}`),
      );
      assert.equal((await store.searchText(['common'], { limit: 7 })).length, 7);
      assert.deepEqual(await store.searchText(['common'], { limit: 0 }), []);
    },
    'finds nothing for no terms or unknown ones': async (store) => {
      assert.deepEqual(await store.searchText(['alpha'], { limit: 10 }), []);
      await putTexts(store, 'a.md', ['alpha']);
      assert.deepEqual(await store.searchText([], { limit: 10 }), []);
      assert.deepEqual(await store.searchText([''], { limit: 10 }), []);
      assert.deepEqual(await store.searchText(['zeppelin'], { limit: 10 }), []);
    },
  }),
  ...[
    { identifier: 'putDocument', part: 'document' },
    { identifier: 'snake_case_name', part: 'snake' },
    { identifier: 'XMLHttpRequest', part: 'http' },
    { identifier: 'MAX_RETRY_COUNT', part: 'retry' },
  ].map(
    ({ identifier, part }): StoreCheck => ({
      promise: `puts the chunk that holds \`${identifier}\` first, and finds it by its parts`,
      async check(open) {
        const store = await open();
        const holder = `const result = await ${identifier}(first, second);`;
        await putTexts(store, 'a.ts', [
          'to put a document in place, name the case of a snake',
          'an XML request over HTTP; count each retry up to the max',
          holder,
          'unrelated words stand here',
        ]);
        const found = await store.searchText(queryTerms(identifier), { limit: 10 });
        assert.equal(found[0]?.chunk.text, holder);
        assert.ok(textsOf(await store.searchText(terms(part), { limit: 10 })).includes(holder));
      },
    }),
  ),
  ...storeChecks({
    'finds a chunk by its section, symbol, title and path': async (store) => {
      const document = documentRecord('src/harbour/crane.ts', { title: 'Lighthouse' });
      const entries = chunkEntries(document, ['body only'], {
        section: 'Deck > Cabin',
        symbol: { name: 'hoistSail', kind: 'method', signature: 'hoistSail()', scope: ['Schooner'] },
      });
      await putDocument(store, { document, chunks: entries });
      for (const word of ['harbour', 'crane', 'lighthouse', 'cabin', 'hoistSail', 'sail', 'schooner']) {
        assert.equal((await store.searchText(terms(word), { limit: 10 })).length, 1, word);
      }
    },
    'finds words of every script, whatever their accents and case': async (store) => {
      const texts = [
        'Crème BRÛLÉE',
        '東京都の天気予報',
        'Поиск документов',
        'שלום עולם',
        'สวัสดีครับ',
        'ΣΊΣΥΦΟΣ',
        '검색 엔진',
      ];
      await putTexts(store, 'a.md', texts);
      const queries = ['creme brulee', '天気', 'поиск', 'עולם', 'สวัสดี', 'σίσυφος', '검색'];
      for (const [index, query] of queries.entries()) {
        const found = await store.searchText(queryTerms(query), { limit: 1 });
        assert.deepEqual(textsOf(found), [texts[index]], query);
      }
    },
    'scores do not depend on the past: putting every document again leaves them as they were': async (
      store,
    ) => {
      const texts = (name: string) => [`${name} harbour common`, `ocean ${name} common words here`];
      const names = Array.from({ length: 30 }, (_, index) => `name${index}`);
      // As an indexing run does it: several documents at once.
      const putAll = async (textsOf: (name: string) => string[]) => {
        for (let first = 0; first < names.length; first += 10)
          await Promise.all(
            names.slice(first, first + 10).map((name) => putTexts(store, `${name}.md`, textsOf(name))),
          );
      };
      await putAll(texts);
      const scores = async () =>
        (await store.searchText(['harbour', 'name3', 'common'], { limit: 100 }))
          .map(({ chunk, score }) => `${chunk.id} ${score}`)
          .sort();
      const before = await scores();
      await putAll((name) => [`${name} wholly other text`]);
      await putAll(texts);
      await putTexts(store, 'passing.md', ['harbour name3 common']);
      await deletePaths(store, ['passing.md']);
      assert.deepEqual(await scores(), before);
    },
  }),
];
