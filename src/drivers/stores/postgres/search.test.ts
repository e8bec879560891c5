import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../../contracts/store.ts';
import { pathMatcher } from '../../../core/globs/glob.ts';
import { queryTerms } from '../../../core/text/terms.ts';
import { addVectors, deletePaths, dropSpace, putDocument } from '../../../index/write.ts';
import { chunkEntries, documentRecord, unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import { openSqliteStore } from '../sqlite/store.ts';
import driver from './driver.ts';
import { noServer, sharedPostgres, type TestDatabase } from './server.fixture.ts';

let server: TestDatabase;
beforeAll(async () => {
  if (noServer === undefined) server = await sharedPostgres();
});

const open = (collection: string): Promise<Store> =>
  driver.open(
    { url: server.url, api_key: server.password, collection },
    driverContext({ stateFolder: '/nowhere/index-1' }),
  );

describe.skipIf(noServer !== undefined)('a search in PostgreSQL', () => {
  test('scores words as SQLite does, whatever was put, replaced and removed', async () => {
    const [postgres, sqlite] = [await open('words'), openSqliteStore(':memory:')];
    const words =
      'harbours running putDocument Crème the of light 東京都 snake_case2 parser tokens relational'.split(
        ' ',
      );
    const text = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 })
      .map((some) => some.join(' '));
    const files = fc.sample(fc.array(text, { minLength: 1, maxLength: 5 }), { numRuns: 60, seed: 7 });
    for (const store of [postgres, sqlite]) {
      for (const [number, texts] of files.entries()) {
        const document = documentRecord(`src/${words[number % 5]}/file${number % 40}.ts`, {
          title: words[number % 7] ?? '',
        });
        const symbol = { name: 'parseTokens', kind: 'function', signature: '', scope: ['Harbour'] };
        await putDocument(store, {
          document,
          chunks: chunkEntries(document, texts, {
            section: 'Light > Run',
            ...(number % 3 === 0 && { symbol }),
          }),
        });
      }
      await deletePaths(store, ['src/running/file1.ts', 'src/Crème/file3.ts']);
    }
    for (const query of [
      ...words,
      'the light of harbours',
      'putDocument parser parser',
      'relate running tokens',
      'file7',
    ]) {
      const scores = async (store: Store, filter?: { paths: string[] }) =>
        (await store.searchText(queryTerms(query), { limit: 500, ...(filter && { filter }) }))
          .map(({ chunk, score }) => `${chunk.id} ${score.toPrecision(5)}`)
          .sort();
      expect(await scores(postgres), query).toEqual(await scores(sqlite));
      const filter = { paths: ['src/**', '!*7.ts'] };
      expect(await scores(postgres, filter), query).toEqual(await scores(sqlite, filter));
    }
    await postgres.close();
    await sqlite.close();
  });

  test('admits the paths that the matcher of the core admits', async () => {
    const store = await open('globs');
    const part = fc.constantFrom(
      'a',
      'b',
      'src',
      'x.md',
      'é',
      '*',
      '[ab]',
      '.',
      '-',
      '^',
      '$',
      '(',
      '|',
      '\n',
    );
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
    const uri = fc.array(path, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
    const uris = [...new Set(fc.sample(uri, { numRuns: 150, seed: 11 }))];
    for (const each of uris) await putDocument(store, { document: documentRecord(each), chunks: [] });
    const piece = fc.constantFrom(
      'a',
      'b',
      'src',
      '*',
      '**',
      '[ab]',
      '[!a]',
      '{a,b}',
      '*.md',
      '\\*',
      'é',
      '(a|b)',
      '.',
      '/',
      '$',
    );
    const glob = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
    const lists = fc.sample(
      fc.array(fc.tuple(fc.constantFrom('', '', '!'), glob), { minLength: 1, maxLength: 3 }),
      { numRuns: 200, seed: 5 },
    );
    for (const list of lists) {
      const paths = list.map((pair) => pair.join(''));
      let admits: (uri: string) => boolean;
      try {
        admits = pathMatcher(paths);
      } catch {
        await expect(store.documents({ paths })).rejects.toMatchObject({ code: 'usage-invalid' });
        continue;
      }
      const found = (await store.documents({ paths })).map((document) => document.uri);
      expect(found.sort(), JSON.stringify(paths)).toEqual(uris.filter(admits).sort());
    }
    await store.close();
  });

  test('walks a graph once a space has many vectors, and finds what comparing all of them finds', async () => {
    const store = await open('graph');
    const document = documentRecord('seed.md');
    const entries = chunkEntries(document, ['seed']);
    const vectors = new Map([
      ['s/1', entries.map(({ embeddingKey }) => ({ embeddingKey, vector: unitVector('seed', 8) }))],
    ]);
    await putDocument(store, { document, chunks: entries, vectors });
    const other = documentRecord('other.txt', { type: 'rare' });
    await putDocument(store, { document: other, chunks: chunkEntries(other, ['rare one', 'rare two']) });
    const index = '"quarry/graph/index-1"';
    // Ten thousand further chunks by statements of our own: what is tested is the search.
    server.query(`INSERT INTO ${index}.embeddings (key) SELECT 'k' || n FROM generate_series(1, 10000) n;
      INSERT INTO ${index}.chunks (document, embedding, id, ordinal, span_start, span_end, first_line, last_line, text,
        header, section, symbol_kind, metadata, text_key)
      SELECT (SELECT number FROM ${index}.documents WHERE uri = 'seed.md'), e.number, e.key, e.number, 0, 1, 1, 1, e.key,
        '', '', '', '{}', '' FROM ${index}.embeddings e WHERE e.key LIKE 'k%';
      INSERT INTO ${index}.vectors SELECT s.number, e.number, ARRAY(SELECT (random() - 0.5 + 0 * e.number)::real
        FROM generate_series(1, 8))::vector(8)::halfvec(8)
      FROM ${index}.embeddings e, ${index}.spaces s WHERE e.key LIKE 'k%'; ANALYZE ${index}.vectors`);
    const queries = Array.from({ length: 20 }, (_, number) => unitVector(`query ${number}`, 8));
    const answers = () =>
      Promise.all(queries.map((query) => store.searchVector('s/1', query, { limit: 20 })));
    const exact = await answers();
    const reports = [];
    for await (const report of store.prepareSearch?.('s/1') ?? []) reports.push(report);
    for (const { done, total } of reports) expect(done).toBeLessThanOrEqual(total);
    expect(server.query("SELECT count(*) FROM pg_indexes WHERE indexname = 'graph_1'")).toBe('1');
    const explained = server.query(`SET enable_seqscan = off; EXPLAIN SELECT embedding FROM ${index}.vectors v
      WHERE v.space = 1 ORDER BY (v.vector::halfvec(8)) <=> '[1,1,1,1,1,1,1,1]'::halfvec(8) LIMIT 20`);
    expect(explained).toContain('graph_1');
    const walked = await answers();
    const ids = (found: (typeof exact)[number]) => found.map(({ chunk }) => chunk.id);
    const shared = exact.map(
      (found, at) => ids(found).filter((id) => ids(walked[at] ?? []).includes(id)).length,
    );
    expect(shared.reduce((sum, count) => sum + count, 0) / (20 * queries.length)).toBeGreaterThan(0.97);
    // A second time there is nothing to do, and few admitted ones are all compared.
    for await (const report of store.prepareSearch?.('s/1') ?? []) expect(report).toBeUndefined();
    await addVectors(
      store,
      's/1',
      chunkEntries(other, ['rare one', 'rare two']).map(({ embeddingKey }) => ({
        embeddingKey,
        vector: unitVector(embeddingKey, 8),
      })),
    );
    const rare = await store.searchVector('s/1', queries[0] ?? new Float32Array(8), {
      limit: 5,
      filter: { types: ['rare'] },
    });
    expect(rare.map(({ chunk }) => chunk.text).sort()).toEqual(['rare one', 'rare two']);
    const many = { limit: 5, filter: { types: ['doc'] } };
    const [nearest] = await store.searchVector('s/1', queries[1] ?? new Float32Array(8), many);
    expect(nearest?.chunk.id).toBe(exact[1]?.[0]?.chunk.id);
    await dropSpace(store, 's/1');
    expect(server.query("SELECT count(*) FROM pg_indexes WHERE indexname = 'graph_1'")).toBe('0');
    await store.close();
  });
});
