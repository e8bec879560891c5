import { describe, expect, test } from 'vitest';
import type { StoreMatch } from '../../contracts/store.ts';
import type { DocumentRecord } from '../../core/document.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { type Candidate, chunkKey } from '../candidate.ts';
import { analyseQuery } from '../query/analyse-query.ts';
import { spread } from '../thinning/spread.ts';
import { rank } from './rank.ts';
import { coveredShare, meet } from './word-match.ts';

const all = { rules: true, coherence: true, noise: true };
const none = { rules: false, coherence: false, noise: false };
const now = Date.UTC(2026, 0, 1);
const day = 24 * 3600 * 1000;

function candidate(
  uri: string,
  score: number,
  chunk: Partial<StoreMatch['chunk']> = {},
  record: Partial<DocumentRecord> = {},
): Candidate {
  const document = { ...documentRecord(uri), ...record };
  const [entry] = chunkEntries(document, [uri], chunk);
  const match = { document, chunk: entry?.chunk as StoreMatch['chunk'], score: 1 };
  return { match, score, trace: [{ stage: 'text', rank: 1, score: 1 }] };
}

function order(query: string, candidates: readonly Candidate[], steps = all): string[] {
  return rank(analyseQuery(query), candidates, steps, now).map(({ match }) => match.document.uri);
}

test('what meaning has found needs no word of the query', () => {
  const far = { text: 'Credentials are hashed.' };
  const byMeaning = { ...candidate('a.md', 0.5, far), trace: [{ stage: 'dense', rank: 1, score: 0.6 }] };
  const byPath = { ...candidate('password.md', 0.6, far), cosine: 0.6 };
  expect(order('how is a password kept', [byPath, byMeaning])).toEqual(['a.md', 'password.md']);
});

test('accents of the query and of the text are no difference', () => {
  const plain = candidate('b.md', 0.5, { text: 'Von anderem.' });
  const meant = candidate('a.md', 0.5, { text: 'Die Größe der Tür.' });
  for (const query of ['wo steht die Größe', 'where is the größe?'])
    expect(order(query, [plain, meant]), query).toEqual(['a.md', 'b.md']);
});

test('what other files use comes before them, as evidence over whole files does', () => {
  const symbol = { name: 'matchRoute', kind: 'function', signature: 'function matchRoute()', scope: [] };
  const candidates = [
    candidate('client.ts', 0.6, { text: 'send(matchRoute(path));' }),
    candidate('server.ts', 0.58, { text: 'const found = matchRoute(request.url);' }),
    candidate('router.ts', 0.57, { text: 'function matchRoute() {}', symbol }, { type: 'code' }),
  ].map((one) => ({ ...one, trace: [{ stage: 'dense', rank: 1, score: 0.6 }] }));
  const query = 'how is the handler of an address found';
  expect(order(query, candidates)[0]).toBe('router.ts');
  expect(order(query, candidates, { ...all, coherence: false })[0]).toBe('client.ts');
});

describe('the declaration of what is asked for', () => {
  const symbol = {
    name: 'putDocument',
    kind: 'function',
    signature: 'function putDocument( uri: string )',
    scope: [],
  };
  const part = (uri: string, score: number, number: number, text: string) =>
    candidate(uri, score, { symbol, text, metadata: { part: `${number}/3` } });
  const candidates = [
    candidate('use.ts', 0.9, { text: 'await putDocument(uri)' }),
    part('comment.ts', 0.6, 1, '/** putDocument stores a document. */'),
    part('start.ts', 0.5, 2, 'function putDocument(\n  uri: string,'),
    part('rest.ts', 0.55, 3, 'return putDocument;'),
  ];
  const steps = { ...none, rules: true };

  test.each(['put_document', 'where is putDocument called'])(
    'is lifted over better scored uses, other parts of the definition less so: %s',
    (query) => {
      expect(order(query, candidates, steps)).toEqual(['start.ts', 'use.ts', 'comment.ts', 'rest.ts']);
    },
  );

  test('means nothing where no name is asked for', () => {
    expect(order('how does it all hang together', candidates, steps)[0]).toBe('use.ts');
  });

  test('is found by the last part of a qualified name', () => {
    const module = {
      name: 'Ecto.Changeset',
      kind: 'module',
      signature: 'defmodule Ecto.Changeset',
      scope: [],
    };
    const defines = candidate('changeset.ex', 0.5, { symbol: module });
    expect(order('Changeset', [candidate('use.ex', 0.9), defines], steps)).toEqual([
      'changeset.ex',
      'use.ex',
    ]);
  });

  test('gets what the rest of its file is worth, not the chunk with the best score', () => {
    const method = { ...symbol, name: 'remove', signature: 'remove()', scope: ['Store'] };
    const type = { name: 'Store', kind: 'class', signature: 'class Store', scope: [] };
    const own = [
      candidate('store.ts', 0.7, { symbol: method, text: 'remove() {}' }),
      candidate('store.ts', 0.6, { symbol: type, text: 'class Store {' }),
      candidate('store.ts', 0.5, { symbol: method, text: 'more()' }),
    ];
    const [first] = rank(analyseQuery('Store'), own, all, now);
    expect(first?.match.chunk.text).toBe('class Store {');
    expect(first?.trace.at(-1)?.note).toBe('what else was found in its file');
  });
});

describe('of equals', () => {
  const code = { type: 'code' };
  test.each<[string, string, Candidate, Candidate]>([
    ['the file with the name', 'view', candidate('lib/view.js', 0.5), candidate('lib/app.js', 0.6)],
    ['the file that is named', 'what is in lib/b.ts', candidate('x/lib/b.ts', 0.4), candidate('a.ts', 0.6)],
    [
      'the file named after the query',
      'how is the config merged',
      candidate('core/mergeConfig.js', 0.4, {}, code),
      candidate('core/other.js', 0.5, {}, code),
    ],
    [
      'the file that stands for a folder named after the query',
      'default settings',
      candidate('defaults/index.js', 0.4, {}, code),
      candidate('core/other.js', 0.5, {}, code),
    ],
    [
      'what does something, before what only declares it,',
      'how are requests sent',
      candidate('client/send.ts', 0.4, {}, code),
      candidate('client/types.ts', 0.5, {}, code),
    ],
    [
      'the declaration, where a type is asked for,',
      'the type of a request',
      candidate('client/types.ts', 0.4, {}, code),
      candidate('types/client.d.ts', 0.55, {}, code),
    ],
    [
      'the definition, before what is implemented for it,',
      'HttpClient',
      candidate('b.rs', 0.4, { symbol: { name: 'HttpClient', kind: 'struct', signature: '', scope: [] } }),
      candidate('a.rs', 0.5, { symbol: { name: 'HttpClient', kind: 'impl', signature: '', scope: [] } }),
    ],
    [
      'what says something itself, before what only stands in a file of that name,',
      'how are parcels sent',
      candidate('b.ts', 0.4, { text: 'Sending a parcel takes a stamp.' }),
      candidate('a.ts', 0.5, { text: '?, ?, ?, ?' }),
    ],
    [
      'the folder named after the query',
      'what adapters are there',
      candidate('adapters/http.js', 0.5, {}, code),
      candidate('helpers/bind.js', 0.53, {}, code),
    ],
    [
      'the function named after the query',
      'combining reducers',
      candidate('b.ts', 0.5, {
        symbol: { name: 'combineReducers', kind: 'function', signature: '', scope: [] },
      }),
      candidate('a.ts', 0.6),
    ],
    [
      'what others can use',
      'parse the text',
      candidate('b.ts', 0.5, {
        symbol: { name: 'run', kind: 'function', signature: '', scope: [], exported: true },
      }),
      candidate('a.ts', 0.5, {
        symbol: { name: 'run', kind: 'function', signature: '', scope: [], exported: false },
      }),
    ],
    [
      'the newer note',
      'what was decided',
      candidate('b.md', 0.5, {}, { type: 'note', modifiedAt: now - day }),
      candidate('a.md', 0.5, {}, { type: 'note', modifiedAt: now - 900 * day }),
    ],
    [
      'the origin that is trusted more',
      'what was decided',
      candidate('b.md', 0.5, {}, { origin: 'file' }),
      candidate('a.md', 0.5, {}, { origin: 'unknown' }),
    ],
  ])('%s comes first', (_, query, better, worse) => {
    const steps = { ...none, rules: true };
    expect(order(query, [worse, better], steps)[0]).toBe(better.match.document.uri);
    expect(order(query, [worse, better], none)[0]).toBe(worse.match.document.uri);
  });

  test('code and prose do not grow stale', () => {
    const old = candidate('a.ts', 0.5, {}, { type: 'code', modifiedAt: 0 });
    const fresh = candidate('b.ts', 0.5, {}, { type: 'code', modifiedAt: now });
    expect(order('what was decided', [fresh, old])).toEqual(['a.ts', 'b.ts']);
  });
});

describe('tests, examples, generated and vendored files', () => {
  test.each([
    'src/tests/store.ts',
    'src/store.test.ts',
    'pkg/store_test.go',
    'test_store.py',
    'src/StoreTest.java',
    'examples/store.ts',
    '__fixtures__/store.ts',
    'bench/store.ts',
    'vendor/lib/store.go',
    'dist/store.js',
    'store.min.js',
    'store_pb2.py',
    '_examples/store.go',
    'requests/packages/urllib3/store.py',
    'pip/_vendor/store.py',
    'CHANGELOG.md',
    'NEWS',
    'docs/release-notes.rst',
    'LICENSE.txt',
    'AUTHORS',
    'LICENSE-MIT',
    'CHANGES-2.0.md',
    'package.json',
    'store.gemspec',
    'go.mod',
  ])('stand behind what is neither: %s', (uri) => {
    const said = { text: 'Here it is replaced.' };
    const candidates = [candidate(uri, 0.9, said), candidate('src/other.ts', 0.5, said)];
    expect(order('where is it replaced', candidates)[0]).toBe('src/other.ts');
  });

  test.each([
    'src/contest.ts',
    'src/latest/store.ts',
    'builder/store.ts',
    'attestation.ts',
    'distance/a.ts',
    'lib/test_functions.bash',
    'packages/core/store.py',
    'src/newsletter.ts',
    'changes/store.ts',
    'src/license-check.ts',
    'src/history.ts',
    'migrate.go',
  ])('are not seen where only letters agree: %s', (uri) => {
    const [first] = rank(analyseQuery('where is it'), [candidate(uri, 0.9)], { ...none, noise: true }, now);
    expect(first?.score).toBe(0.9);
  });

  test.each([
    ['which tests cover the store?', 'src/store.test.ts'],
    ['an example of use', 'examples/use.ts'],
    ['what is in store.test.ts', 'src/store.test.ts'],
    ['what changed in version 3', 'CHANGELOG.md'],
    ['under which license', 'LICENSE'],
    ['which dependencies does it have', 'package.json'],
  ])('keep their place for a query that asks for them: %s', (query, uri) => {
    expect(order(query, [candidate(uri, 0.9), candidate('src/other.ts', 0.5)])[0]).toBe(uri);
  });

  test('keep their fate where the query names another file that ends alike', () => {
    const query = analyseQuery('what is in a.ts');
    const [found] = rank(query, [candidate('tests/data.ts', 1)], { ...none, noise: true }, now);
    expect(found?.score).toBe(0.35);
  });

  test('a file whose header says that a tool made it is lowered as a generated path is', () => {
    const generated = candidate('src/client.ts', 1, {}, { metadata: { generated: true } });
    const [found] = rank(analyseQuery('how'), [generated], { ...none, noise: true }, now);
    expect(found).toMatchObject({
      score: 0.5,
      trace: [{ stage: 'text' }, { stage: 'rank', note: 'generated file' }],
    });
    const [asked] = rank(analyseQuery('the generated client'), [generated], { ...none, noise: true }, now);
    expect(asked?.score).toBe(1);
  });

  test('say in the trace what they lost', () => {
    const [found] = rank(analyseQuery('how'), [candidate('test/a.ts', 1)], { ...none, noise: true }, now);
    expect(found?.trace.slice(1)).toEqual([{ stage: 'rank', note: 'test file', score: 0.35 - 1 }]);
  });
});

test('messages, log entries and keys of a file do not speak for each other', () => {
  const several = (type: string) =>
    [0.6, 0.55, 0.5].map((score) =>
      candidate('several', score, { id: `${score}`, text: 'anything' }, { type, modifiedAt: 0 }),
    );
  const single = candidate('single.md', 0.65, { text: 'anything' });
  expect(order('anything at all', [single, ...several('doc')])[0]).toBe('several');
  for (const type of ['email', 'log', 'data', 'state'])
    expect(order('anything at all', [single, ...several(type)])[0]).toBe('single.md');
});

test('a file is shown by a definition with a body, not by a type or its imports that fit as well', () => {
  const symbol = (kind: string) => ({ name: 'x', kind, signature: 'x', scope: [] });
  const part = (id: string, score: number, own: Partial<StoreMatch['chunk']>) =>
    candidate('store.ts', score, { id, text: id, ...own }, { type: 'code' });
  const shown = (query: string, score: number) =>
    rank(
      analyseQuery(query),
      [
        part('a type', 0.6, { symbol: symbol('interface') }),
        part('imports', 0.59, {}),
        part('a function', score, { symbol: symbol('function') }),
      ],
      all,
      now,
    )[0]?.match.chunk.text;
  expect(shown('how are things stored here', 0.56)).toBe('a function');
  expect(shown('how are things stored here', 0.4)).toBe('a type');
  expect(shown('the type of things stored here', 0.56)).toBe('a type');
});

test('a reranker chooses the chunk that stands for a file, and nothing changes where it knows but one of them', () => {
  const parts = ['a', 'b', 'c'].map((id, place) =>
    candidate('store.md', 0.6 - place / 10, { id, text: 'how a thing is kept' }),
  );
  const shown = (...said: readonly (readonly [string, number])[]) => {
    const keyed = parts.flatMap((part) => {
      const [, score] = said.find(([id]) => id === part.match.chunk.id) ?? [];
      return score === undefined ? [] : [[chunkKey(part), score] as const];
    });
    return rank(analyseQuery('how is it kept'), parts, all, now, new Map(keyed))[0]?.match.chunk.id;
  };
  expect(shown()).toBe('a');
  expect(shown(['a', 0.1], ['b', 0.2], ['c', 0.9])).toBe('c');
  expect(shown(['b', -4], ['c', -9])).toBe('b');
  expect(shown(['c', 0.9])).toBe('a');
});

test('a chunk that is found by its path alone does not stand for its file, however many there are', () => {
  const part = (id: string, score: number, text: string) => candidate('replace.md', score, { id, text });
  const rest = ['c', 'd', 'e'].map((id) => part(id, 0.5, 'what is replaced'));
  const own = [part('a', 0.7, '? ? ?'), part('b', 0.55, 'how a thing is replaced'), ...rest];
  expect(rank(analyseQuery('how is it replaced'), own, all, now)[0]?.match.chunk.id).toBe('b');
});

test('a message counts as much as a file with the same score', () => {
  const mail = candidate('mail.eml', 0.66, { text: 'anything' }, { type: 'email' });
  const file = candidate('file.md', 0.65, { text: 'anything' });
  expect(order('anything at all', [file, mail])[0]).toBe('mail.eml');
});

test('the sixth chunk of a file and those after it add nothing', () => {
  const many = (count: number) =>
    Array.from({ length: count }, () => candidate('many.md', 0.5, { text: 'anything' }));
  const scoreOf = (count: number) =>
    Math.max(...rank(analyseQuery('anything at all'), many(count), all, now).map(({ score }) => score));
  expect(scoreOf(5)).toBeGreaterThan(scoreOf(4));
  expect(scoreOf(40)).toBe(scoreOf(5));
});

test('several chunks of a file lift its best one over a single better one', () => {
  const several = [0.6, 0.55, 0.5].map((score) => candidate('several.md', score, { text: 'anything' }));
  const single = candidate('single.md', 0.65, { text: 'anything' });
  expect(order('anything at all', [single, ...several])[0]).toBe('several.md');
  expect(order('anything at all', [single, ...several], none)[0]).toBe('single.md');
});

test('chunks of one document beyond its share stand behind those of others, and none is lost', () => {
  const [a, b, c, d] = [0.9, 0.8, 0.7, 0.6].map((score) => candidate('one.md', score));
  const e = candidate('two.md', 0.5);
  const ranked = [a, b, c, d, e].filter((found) => found !== undefined);
  expect(spread(ranked, 2)).toEqual([a, b, e, c, d]);
  expect(rank(analyseQuery('nothing named here'), ranked, none, now)).toEqual(ranked);
});

test('words meet across their endings, not by chance', () => {
  expect(meet('config', 'configuration')).toBe(true);
  expect(meet('parsing', 'parses')).toBe(true);
  expect(meet('interceptors', 'interceptor')).toBe(true);
  expect(meet('to', 'token')).toBe(false);
  expect(meet('con', 'configuration')).toBe(false);
  expect(meet('read', 'write')).toBe(false);
  expect(coveredShare(['store', 'creation'], 'createStore')).toBe(0.5);
  expect(coveredShare(['merge', 'configs'], 'mergeConfig')).toBe(1);
  expect(coveredShare(['anything'], 'x')).toBe(0);
});
