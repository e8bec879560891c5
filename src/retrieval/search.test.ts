import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { StoreMatch } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { openProject } from '../project/open-project.ts';
import type { Project } from '../project/project.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { fuse } from './fuse.ts';
import { rank, spread } from './rank.ts';
import { search } from './search.ts';

const files = {
  'src/store.ts': `
/** Puts a document in place of the one stored under its uri. */
export function putDocument(uri: string, text: string): void {
  const previous = documents.get(uri);
  if (previous) removeChunks(previous);
  documents.set(uri, { uri, text });
}
`,
  'src/caller.ts': `
import { putDocument } from './store.ts';
export function importFolder(paths: string[]): void {
  for (const path of paths) putDocument(path, read(path));
  putDocument('index', 'putDocument is called here, and putDocument again');
}
`,
  'lib/parser.py': `
def parse_config_file(path):
    """Reads the settings from disk."""
    with open(path) as handle:
        return load(handle)

def main():
    settings = parse_config_file("settings.ini")
    print(settings, parse_config_file)
`,
  'docs/passwords.md':
    '# Passwords\n\nCredentials are hashed with argon2id and a salt of sixteen bytes before they are saved.',
  'docs/weather.md': '# Weather\n\nThe forecast for tomorrow is sunny with a light breeze from the west.',
};

let project: Project;
beforeAll(async () => {
  project = await openProject(await temporaryFolder(files));
  for await (const event of project.index()) if (event.type === 'document-failed') throw event;
  return () => project.close();
});
const first = async (question: string, options = {}) => (await project.search(question, options)).hits[0];

describe('with the real model', () => {
  test.each([
    ['how do we protect user secrets at rest?', 'docs/passwords.md'],
    ['will it rain?', 'docs/weather.md'],
    ['where are options read from a file?', 'lib/parser.py'],
  ])('a plain question finds its passage though they share no telling word: %s', async (question, uri) => {
    expect((await first(question))?.document.uri).toBe(uri);
  });

  test.each([
    ['putDocument', 'src/store.ts', 'putDocument'],
    ['put_document', 'src/store.ts', 'putDocument'],
    ['where is putDocument defined?', 'src/store.ts', 'putDocument'],
    ['parse_config_file', 'lib/parser.py', 'parse_config_file'],
    ['parseConfigFile', 'lib/parser.py', 'parse_config_file'],
  ])('an identifier finds its definition before its uses: %s', async (question, uri, symbol) => {
    const hit = await first(question);
    expect(hit?.document.uri).toBe(uri);
    expect([hit?.chunk.symbol?.name, ...((hit?.chunk.metadata.symbols ?? []) as string[])]).toContain(symbol);
  });

  test('relevance tells an answer from an off-topic passage', async () => {
    const good = await first('how are passwords hashed?');
    const bad = await first('recipe for lentil soup with cumin');
    expect(good?.relevance).toBeGreaterThan(0.4);
    expect(bad?.relevance ?? 0).toBeLessThan(0.15);
  });

  test('each hit says how every stage saw it', async () => {
    const hit = await first('putDocument');
    expect(hit?.trace.map(({ stage }) => stage)).toEqual(['dense', 'text', 'fuse', 'rank']);
    expect(hit?.trace.at(-1)?.note).toBe('defines what is asked for');
  });
});

describe('the request', () => {
  test('is honoured in number, threshold and filters', async () => {
    expect((await project.search('document', { topK: 2 })).hits).toHaveLength(2);
    expect((await project.search('lentil soup', { threshold: 0.9 })).hits).toEqual([]);
    const docs = await project.search('putDocument', { filter: { types: ['doc'] } });
    expect(docs.hits.every((hit) => hit.document.type === 'doc')).toBe(true);
    const python = await project.search('settings', { filter: { paths: ['lib/**'] } });
    expect(new Set(python.hits.map((hit) => hit.document.uri))).toEqual(new Set(['lib/parser.py']));
  });

  test('can ask for one searcher alone', async () => {
    const text = await project.search('argon2id', { denseWeight: 0 });
    expect(text.hits.every((hit) => hit.trace.every(({ stage }) => stage !== 'dense'))).toBe(true);
    const dense = await project.search('argon2id', { denseWeight: 1 });
    expect(dense.hits.every((hit) => hit.trace.every(({ stage }) => stage !== 'text'))).toBe(true);
  });

  test.each(['', '   ', '\n'])('with no words is refused: %j', async (question) => {
    await expect(project.search(question)).rejects.toMatchObject({ code: 'query-empty' });
  });

  test.each(['"', '*', 'a" OR "b', "'; DROP TABLE chunks; --", 'NEAR(', '🙂', '\u0000', 'x'.repeat(20_000)])(
    'may be anything: %j',
    async (question) => {
      expect(Array.isArray((await project.search(question)).hits)).toBe(true);
    },
  );
});

test('without its model the engine answers from text alone and says why', async () => {
  const broken = {
    ...(await project.embedder()),
    embed: () => Promise.reject(new QuarryError('driver-package-missing', 'No runtime.', 'Install it.')),
  };
  const parts = { store: await project.store(), embedder: async () => broken };
  const request = {
    question: 'argon2id',
    topK: 3,
    candidates: 50,
    perDocument: 3,
    threshold: 0,
    denseWeight: 0.5,
  };
  const { hits, warnings } = await search(parts, request);
  expect(hits[0]?.document.uri).toBe('docs/passwords.md');
  expect(warnings).toMatchObject([{ code: 'driver-package-missing', remedy: 'Install it.' }]);
});

describe('fusion', () => {
  const matches = (prefix: string, scores: number[]): StoreMatch[] =>
    scores.map((score, index) => {
      const document = documentRecord(`${prefix}${index}.md`);
      const [entry] = chunkEntries(document, [`${prefix} ${index}`]);
      return { document, chunk: entry?.chunk as StoreMatch['chunk'], score };
    });

  test('puts a chunk found by both searchers above one found by a single searcher at the same rank', () => {
    const [both, other] = matches('a', [0.9, 0.9]) as [StoreMatch, StoreMatch];
    const low = matches('low', [0.1])[0] as StoreMatch;
    const fused = fuse([both, low], [other, { ...both, score: 0.8 }, low], 0.5);
    expect(fused[0]?.match.document.uri).toBe(both.document.uri);
  });

  test('keeps every candidate once, best first, between 0 and 1', () => {
    const scores = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(scores, scores, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, weight) => {
        const dense = matches(
          'd',
          a.toSorted((x, y) => y - x),
        );
        const text = [
          ...matches(
            't',
            b.toSorted((x, y) => y - x),
          ),
          ...dense.slice(0, 3),
        ];
        const fused = fuse(dense, text, weight);
        const ids = fused.map(({ match }) => match.chunk.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBe(a.length + b.length);
        for (const [index, { score }] of fused.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-9);
          expect(score).toBeLessThanOrEqual(fused[index - 1]?.score ?? Number.POSITIVE_INFINITY);
        }
      }),
    );
  });
});

test('the beginning of a definition is lifted over better scored uses, its further parts less so', () => {
  const candidate = (uri: string, score: number, chunk: Partial<StoreMatch['chunk']> = {}) => {
    const document = documentRecord(uri);
    const [entry] = chunkEntries(document, [uri], chunk);
    return { match: { document, chunk: entry?.chunk as StoreMatch['chunk'], score: 1 }, score, trace: [] };
  };
  const symbol = { name: 'putDocument', kind: 'function', signature: 'putDocument()', scope: [] };
  const use = candidate('use.ts', 0.9);
  const middle = candidate('middle.ts', 0.6, { symbol, metadata: { part: '2/3' } });
  const start = candidate('start.ts', 0.5, { symbol, metadata: { part: '1/3' } });
  const order = (question: string) =>
    rank(question, [use, middle, start]).map(({ match }) => match.document.uri);
  expect(order('put_document')).toEqual(['start.ts', 'use.ts', 'middle.ts']);
  expect(order('where is putDocument called')).toEqual(['start.ts', 'use.ts', 'middle.ts']);
  expect(order('how are documents put away')).toEqual(['use.ts', 'middle.ts', 'start.ts']);
});

test('passages of one document beyond its share stand behind those of others, and none is lost', () => {
  const candidatesOf = (uri: string, scores: number[]) => {
    const document = documentRecord(uri);
    const entries = chunkEntries(
      document,
      scores.map((score) => `${uri} ${score}`),
    );
    return entries.map(({ chunk }, index) => ({
      match: { document, chunk, score: 1 },
      score: scores[index] ?? 0,
      trace: [],
    }));
  };
  const [a, b, c, d] = candidatesOf('one.md', [0.9, 0.8, 0.7, 0.6]);
  const [e] = candidatesOf('two.md', [0.5]);
  const ranked = [a, b, c, d, e].filter((candidate) => candidate !== undefined);
  expect(spread(ranked, 2)).toEqual([a, b, e, c, d]);
  expect(rank('nothing named here', ranked)).toEqual(ranked);
});
