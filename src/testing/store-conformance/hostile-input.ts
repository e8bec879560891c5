import assert from 'node:assert/strict';
import { chunksOf } from '../../index/chunks-of.ts';
import { addVectors, deletePaths, dropSpace, putDocument, setFact } from '../../index/write.ts';
import { chunkEntries, documentRecord, manifestEntry, unitVector } from '../documents.ts';
import { putTexts, space, storeChecks } from './store-check.ts';

const hostilePaths = [
  '../x',
  '../../etc/passwd',
  'C:\\Windows\\system32',
  "it's.md",
  'say "hi".md',
  'a`b`.md',
  "x'; DROP TABLE documents; --.md",
  '100%_sure.md',
  '100xysure.md',
  'nul\\0.md',
  'nul\u0000inside.md',
  'new\nline.md',
  'tab\t.md',
  ' leading and trailing ',
  '🗂️/👩‍👩‍👧/é.md',
  'é-composed.md',
  'e\u0301-decomposed.md',
  'עברית/שלום.md',
  '\u202egnp.exe',
  '日本語/ファイル.md',
  '[brackets]{a,b}(c|d)!?*.md',
  '-rf',
  `${'very-long/'.repeat(400)}name.md`,
] as const;

const injections = [
  '"; DROP TABLE documents; --',
  "' OR '1'='1",
  '"',
  '""',
  '*',
  'alp*',
  'OR',
  'AND',
  'NOT',
  'NEAR(alpha beta)',
  'NEAR(',
  'col:',
  'body:alpha',
  'body : alpha',
  '^alpha',
  '-alpha',
  '{body path} : alpha',
  '(alpha',
  'alpha +',
  '\0',
  'al\0pha"',
  '%',
  '_',
  '\\',
  '$1',
  '?1',
];

/** Checks that data is never interpreted as code or syntax. */
export const hostileInputChecks = storeChecks({
  'keeps documents apart under any path, and gives the paths back unchanged': async (store, open) => {
    const reader = await open();
    for (const uri of hostilePaths) {
      const document = documentRecord(uri, { title: uri });
      await putDocument(store, {
        document,
        chunks: chunkEntries(document, [`text of ${uri}`]),
        manifest: manifestEntry(uri),
      });
    }
    assert.deepEqual(await reader.paths(), [...hostilePaths].sort());
    assert.deepEqual((await reader.manifest()).map(({ uri }) => uri).sort(), [...hostilePaths].sort());
    for (const uri of hostilePaths) {
      const chunks = await chunksOf(reader, documentRecord(uri).id);
      assert.deepEqual(
        chunks.map(({ text }) => text),
        [`text of ${uri}`],
      );
    }
    for (const [index, uri] of hostilePaths.entries()) {
      assert.equal(await deletePaths(store, [uri]), 1, uri);
      assert.equal((await reader.paths()).length, hostilePaths.length - index - 1);
    }
    assert.deepEqual(await reader.manifest(), []);
  },
  'takes no term for an operator': async (store) => {
    await putTexts(store, 'a.md', ['alpha beta', 'gamma delta']);
    for (const term of injections) {
      const matches = await store.searchText([term], { limit: 10 });
      assert.ok(
        matches.every(({ chunk }) => chunk.text === 'alpha beta'),
        `${JSON.stringify(term)} finds nothing of another text`,
      );
      const among = await store.searchText([term, 'gamma'], { limit: 10 });
      assert.ok(
        among.some(({ chunk }) => chunk.text === 'gamma delta'),
        `${JSON.stringify(term)} hides nothing`,
      );
    }
    assert.deepEqual(await store.searchText(['alp*', 'OR', 'NOT', 'AND', 'body'], { limit: 10 }), []);
    assert.equal((await store.state()).chunks, 2);
  },
  'answers a query of thousands of terms': async (store) => {
    await putTexts(store, 'a.md', ['alpha beta', 'gamma delta']);
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}`);
    const found = await store.searchText([...words, 'gamma'], { limit: 10 });
    assert.deepEqual(
      found.map(({ chunk }) => chunk.text),
      ['gamma delta'],
    );
  },
  'takes no value of a filter, fact, space or key for a command': async (store) => {
    const { document, entries } = await putTexts(store, 'a.md', ['alpha beta']);
    for (const value of injections) {
      const filters = [
        { types: [value] },
        { languages: [value] },
        { symbolKinds: [value] },
        { tags: [value] },
        { fields: [`${value}=${value}`] },
        { authors: [value] },
        { paths: [`${value}.none`] },
      ];
      for (const filter of filters) {
        assert.deepEqual(
          await store.searchText(['alpha'], { limit: 10, filter }),
          [],
          JSON.stringify(filter),
        );
      }
      const name = `fact ${value}`;
      await setFact(store, name, value);
      assert.equal((await store.state()).facts.get(name), value);
      assert.deepEqual(await chunksOf(store, value), []);
      assert.equal(await deletePaths(store, [value]), 0);
      const spaceName = `${space} ${value}`;
      await addVectors(store, spaceName, [
        { embeddingKey: entries[0]?.embeddingKey ?? '', vector: unitVector(value, 4) },
      ]);
      assert.equal((await store.searchVector(spaceName, unitVector(value, 4), { limit: 9 })).length, 1);
      await dropSpace(store, spaceName);
    }
    assert.deepEqual([...(await store.state()).spaces.keys()], []);
    assert.deepEqual(await store.documents(), [document]);
  },
  'gives texts back unchanged, whatever characters they hold': async (store) => {
    const texts = [
      'nul \0 inside',
      '\u{1f980}\u{10ffff}',
      '\ufeffmark',
      'a\r\nb\rc',
      '   ',
      '\u0001\u001b[31m',
      'x'.repeat(200_000),
    ];
    const { document } = await putTexts(store, 'a.md', texts);
    assert.deepEqual(
      (await chunksOf(store, document.id)).map(({ text }) => text),
      texts,
    );
  },
});
