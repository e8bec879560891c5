import assert from 'node:assert/strict';
import type { Store } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';
import type { Filter } from '../../core/filter.ts';
import { addVectors, putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord, unitVector } from '../documents.ts';
import { type StoreCheck, space, urisOf } from './store-check.ts';

interface FilterCase {
  readonly what: string;
  readonly filter: Filter;
  /** Uris that pass; those of `documents()` too, unless the filter speaks of chunks. */
  readonly passes: readonly string[];
}

const day = 86_400_000;

const library: readonly (Partial<DocumentRecord> & { uri: string; kind?: string })[] = [
  {
    uri: 'src/core/a.ts',
    type: 'code',
    metadata: { language: 'typescript' },
    modifiedAt: day,
    kind: 'function',
  },
  { uri: 'src/b.py', type: 'code', metadata: { language: 'python' }, modifiedAt: 2 * day, kind: 'class' },
  { uri: 'test/a.test.ts', type: 'code', metadata: { language: 'typescript' }, modifiedAt: 3 * day },
  { uri: 'README.md', modifiedAt: 4 * day, metadata: { tags: ['boat/rigging', 'Ärger'], status: 'Open' } },
  {
    uri: 'docs/guide.md',
    modifiedAt: 5 * day,
    metadata: {
      Tags: 'boat, rope',
      Status: 'done',
      priority: 3,
      'ÜBER %_': ['a"b\\', '3'],
      from: 'Ada Lovelace <ada@example.org>',
    },
  },
  { uri: '.github/workflows/ci.yml', type: 'config', modifiedAt: 6 * day },
  { uri: 'journal/2024.md', type: 'note', origin: 'notes', modifiedAt: 7 * day },
  { uri: 'virtual:idea', type: 'note', origin: 'virtual', modifiedAt: 8 * day },
];

const everything = library.map(({ uri }) => uri);

const cases: readonly FilterCase[] = [
  { what: 'an empty filter', filter: {}, passes: everything },
  {
    what: 'types',
    filter: { types: ['code', 'config'] },
    passes: [...everything.slice(0, 3), '.github/workflows/ci.yml'],
  },
  { what: 'no admitted type', filter: { types: [] }, passes: [] },
  { what: 'origins', filter: { origins: ['notes', 'virtual'] }, passes: ['journal/2024.md', 'virtual:idea'] },
  { what: 'languages', filter: { languages: ['python'] }, passes: ['src/b.py'] },
  {
    what: 'symbol kinds',
    filter: { symbolKinds: ['function', 'class'] },
    passes: ['src/core/a.ts', 'src/b.py'],
  },
  { what: 'a first moment, which is included', filter: { since: 7 * day }, passes: everything.slice(6) },
  { what: 'a last moment, which is excluded', filter: { until: 2 * day }, passes: ['src/core/a.ts'] },
  {
    what: 'a span of time',
    filter: { since: 2 * day, until: 4 * day },
    passes: ['src/b.py', 'test/a.test.ts'],
  },
  { what: 'a folder glob', filter: { paths: ['src/**'] }, passes: ['src/core/a.ts', 'src/b.py'] },
  { what: 'a folder name', filter: { paths: ['src/'] }, passes: ['src/core/a.ts', 'src/b.py'] },
  {
    what: 'a file glob in any folder',
    filter: { paths: ['*.md'] },
    passes: ['README.md', 'docs/guide.md', 'journal/2024.md'],
  },
  { what: 'several globs', filter: { paths: ['*.py', 'docs/**'] }, passes: ['src/b.py', 'docs/guide.md'] },
  {
    what: 'an excluding glob alone',
    filter: { paths: ['!*.md', '!*.ts'] },
    passes: ['src/b.py', '.github/workflows/ci.yml', 'virtual:idea'],
  },
  {
    what: 'an excluding glob among others',
    filter: { paths: ['**/*.ts', '!test/**'] },
    passes: ['src/core/a.ts'],
  },
  { what: 'globs that meet dotfiles', filter: { paths: ['**/*.yml'] }, passes: ['.github/workflows/ci.yml'] },
  { what: 'no glob at all', filter: { paths: [] }, passes: everything },
  { what: 'a glob that nothing meets', filter: { paths: ['nowhere/**'] }, passes: [] },
  {
    what: 'tags, with those below them',
    filter: { tags: ['#Boat'] },
    passes: ['README.md', 'docs/guide.md'],
  },
  {
    what: 'tags in any case and script',
    filter: { tags: ['äRGER', 'none'] },
    passes: ['README.md'],
  },
  { what: 'a part of a tag, which is another one', filter: { tags: ['boa'] }, passes: [] },
  {
    what: 'values of a field',
    filter: { fields: ['status=open', 'STATUS=Done'] },
    passes: ['README.md', 'docs/guide.md'],
  },
  {
    what: 'several fields, of which each is wanted',
    filter: { fields: ['status=done', 'über %_=A"B\\', 'über %_=none'] },
    passes: ['docs/guide.md'],
  },
  { what: 'a number', filter: { fields: ['priority=3'] }, passes: ['docs/guide.md'] },
  { what: 'a wildcard of SQL, which is none', filter: { fields: ['stat%=open'] }, passes: [] },
  { what: 'a part of an author', filter: { authors: ['ADA@'] }, passes: ['docs/guide.md'] },
  { what: 'no value at all', filter: { tags: [] }, passes: [] },
  {
    what: 'a tag together with a glob and a type',
    filter: { tags: ['boat'], paths: ['docs/**'], types: ['doc'] },
    passes: ['docs/guide.md'],
  },
  {
    what: 'all fields at once',
    filter: {
      types: ['code'],
      origins: ['file'],
      languages: ['typescript'],
      paths: ['src/**'],
      symbolKinds: ['function'],
      since: 0,
      until: 2 * day,
    },
    passes: ['src/core/a.ts'],
  },
  {
    what: 'fields that contradict each other',
    filter: { types: ['note'], languages: ['python'] },
    passes: [],
  },
];

/** A chunk with a time of its own is found by that time, and its document by any of them. */
const ownTimes: StoreCheck = {
  promise: 'filters chunks of one document by the time that each of them has',
  async check(open) {
    const store = await open();
    const mailbox = documentRecord('inbox.mbox', { modifiedAt: 9 * day });
    const times = [3 * day, 9 * day, 6 * day];
    const entries = chunkEntries(mailbox, ['common one', 'common two', 'common three']).map(
      ({ chunk, ...entry }, place) => ({ ...entry, chunk: { ...chunk, writtenAt: times[place] ?? 0 } }),
    );
    await putDocument(store, { document: mailbox, chunks: entries });
    await addVectors(
      store,
      space,
      entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector(embeddingKey, 8) })),
    );
    const expect = async (filter: Filter, texts: readonly string[]) => {
      const bounds = { limit: 10, filter };
      const byText = await store.searchText(['common'], bounds);
      const byVector = await store.searchVector(space, unitVector('query', 8), bounds);
      for (const found of [byText, byVector])
        assert.deepEqual(found.map(({ chunk }) => chunk.text).sort(), texts);
      assert.equal((await store.documents(filter)).length, texts.length > 0 ? 1 : 0);
    };
    await expect({ since: 6 * day }, ['common three', 'common two']);
    await expect({ until: 6 * day }, ['common one']);
    await expect({ since: 4 * day, until: 9 * day }, ['common three']);
    await expect({ until: 3 * day }, []);
  },
};

/** Both searches and the list of documents obey each field of a filter, all of them over the same documents. */
const everyField: StoreCheck = {
  promise:
    'filters by types, origins, languages, symbol kinds, tags, fields, authors, times and globs, alone and together',
  async check(open) {
    const store = await open();
    await fill(store);
    for (const { what, filter, passes } of cases) {
      const bounds = { limit: 100, filter };
      const byText = await store.searchText(['common'], bounds);
      const byVector = await store.searchVector(space, unitVector('query', 8), bounds);
      const found = {
        text: urisOf(byText),
        vector: urisOf(byVector),
        // A document has no symbol of its own.
        ...(!filter.symbolKinds && {
          documents: (await store.documents(filter)).map(({ uri }) => uri).sort(),
        }),
      };
      const expected = [...passes].sort();
      for (const [way, uris] of Object.entries(found)) assert.deepEqual(uris, expected, `${what}: ${way}`);
    }
  },
};

/** A message of a mailbox is found by who wrote it, and its document by any of them. */
const ownAuthors: StoreCheck = {
  promise:
    'filters chunks of a document that holds messages by who wrote each, and others by who wrote the document',
  async check(open) {
    const store = await open();
    const put = async (document: DocumentRecord, texts: Readonly<Record<string, string>>) => {
      const entries = chunkEntries(document, Object.keys(texts)).map(({ chunk, ...entry }) => {
        const from = texts[chunk.text] ?? '';
        return { ...entry, chunk: { ...chunk, metadata: from === '' ? {} : { from } } };
      });
      await putDocument(store, { document, chunks: entries });
      const vectors = entries.map(({ embeddingKey }) => ({
        embeddingKey,
        vector: unitVector(embeddingKey, 8),
      }));
      await addVectors(store, space, vectors);
    };
    await put(documentRecord('inbox.mbox', { metadata: { messages: 3, creator: 'Cem' } }), {
      'common one': 'Ada <ada@example.org>',
      'common two': 'Bo "Ä" Lind',
      'common three': '',
    });
    await put(documentRecord('others.mbox', { metadata: { messages: 1, creator: 'Cem' } }), {
      'common five': 'Dora',
    });
    await put(documentRecord('note.md', { metadata: { author: 'Ada' } }), {
      // Nobody vouches for what a chunk of any other document says.
      'common four': 'Bo',
    });
    const expect = async (authors: readonly string[], texts: readonly string[], uris: readonly string[]) => {
      const bounds = { limit: 10, filter: { authors } };
      const byText = await store.searchText(['common'], bounds);
      const byVector = await store.searchVector(space, unitVector('query', 8), bounds);
      for (const found of [byText, byVector])
        assert.deepEqual(found.map(({ chunk }) => chunk.text).sort(), texts);
      assert.deepEqual((await store.documents(bounds.filter)).map(({ uri }) => uri).sort(), uris);
    };
    await expect(['ADA'], ['common four', 'common one'], ['inbox.mbox', 'note.md']);
    await expect(['ada@'], ['common one'], ['inbox.mbox']);
    await expect(['"ä" l', 'nobody'], ['common two'], ['inbox.mbox']);
    await expect(['cem'], ['common three'], ['inbox.mbox']);
    await expect(['bo'], ['common two'], ['inbox.mbox']);
    await expect(['"Bo"'], [], []);
    await expect(['"ada"'], ['common four', 'common one'], ['inbox.mbox', 'note.md']);
    await expect([], [], []);
    await expect([' '], [], []);
  },
};

export const filterChecks: readonly StoreCheck[] = [everyField, ownTimes, ownAuthors];

async function fill(store: Store): Promise<void> {
  for (const { uri, kind, ...overrides } of library) {
    const document = documentRecord(uri, overrides);
    const symbol = kind ? { symbol: { name: 'thing', kind, signature: 'thing', scope: [] } } : {};
    const entries = chunkEntries(document, [`common text of ${uri}`], symbol);
    await putDocument(store, { document, chunks: entries });
    await addVectors(
      store,
      space,
      entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector(uri, 8) })),
    );
  }
}
