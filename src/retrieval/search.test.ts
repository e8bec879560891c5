import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';
import type { Route } from '../core/query.ts';
import { optionalStages } from '../core/query.ts';
import { addVectors } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';
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
const first = async (query: string, options = {}) => (await project.search(query, options)).hits[0];

describe('a list that is merged with others', () => {
  let patient: Project;
  beforeAll(async () => {
    // It is waited for, however busy the machine is.
    patient = await openProject(project.folder, {
      settings: { 'reranker.driver': 'maxsim', 'reranker.budget_ms': 10_000 },
    });
    return () => patient.close();
  });
  const query = 'how do we protect user secrets at rest?';
  const isReranked = ({ hits }: Awaited<ReturnType<Project['search']>>) =>
    hits.some(({ trace }) => trace.some(({ stage }) => stage === 'rerank'));

  test('is that of a search alone where it is in reach, and says before how relevant its best are', async () => {
    const alone = await patient.search(query);
    expect(isReranked(alone)).toBe(true);
    let said: readonly number[] = [];
    const isInReach = async (levels: readonly number[]) => {
      said = levels;
      return true;
    };
    // Another number of hits, so that no answer is remembered.
    const { hits } = await patient.search(query, { isInReach, topK: 4 });
    expect(hits).toEqual((await patient.search(query, { topK: 4 })).hits);
    expect(Math.max(...hits.map(({ relevance }) => relevance))).toBeLessThanOrEqual(said[0] ?? 0);
  });

  test('is not reranked where it is out of reach, nor remembered like that', async () => {
    const without = await patient.search(query, { isInReach: async () => false, topK: 3 });
    expect(without.hits[0]?.document.uri).toBe('docs/passwords.md');
    expect(isReranked(without)).toBe(false);
    expect(isReranked(await patient.search(query, { topK: 3 }))).toBe(true);
  });
});

describe('with the real model', () => {
  test.each([
    ['how do we protect user secrets at rest?', 'docs/passwords.md'],
    ['will it rain?', 'docs/weather.md'],
    ['where are options read from a file?', 'lib/parser.py'],
  ])('a plain query finds its chunk though they share no important word: %s', async (query, uri) => {
    expect((await first(query))?.document.uri).toBe(uri);
  });

  test.each([
    ['putDocument', 'src/store.ts', 'putDocument'],
    ['put_document', 'src/store.ts', 'putDocument'],
    ['where is putDocument defined?', 'src/store.ts', 'putDocument'],
    ['parse_config_file', 'lib/parser.py', 'parse_config_file'],
    ['parseConfigFile', 'lib/parser.py', 'parse_config_file'],
  ])('an identifier finds its definition before its uses: %s', async (query, uri, symbol) => {
    const hit = await first(query);
    expect(hit?.document.uri).toBe(uri);
    expect([hit?.chunk.symbol?.name, ...((hit?.chunk.metadata.symbols ?? []) as string[])]).toContain(symbol);
  });

  test('relevance separates an answer from an off-topic chunk', async () => {
    const good = await first('how are passwords hashed?');
    const bad = await first('recipe for lentil soup with cumin');
    expect(good?.relevance).toBeGreaterThan(0.4);
    expect(bad?.relevance ?? 0).toBeLessThan(0.15);
  });

  test('each hit says how every stage saw it', async () => {
    const hit = await first('putDocument');
    const stages = hit?.trace.map(({ stage }) => stage);
    expect([...new Set(stages)]).toEqual(['dense', 'text', 'fuse', 'rank']);
    expect(hit?.trace.map(({ note }) => note)).toContain('defines what is asked for');
  });
});

describe('the request', () => {
  test('is honoured in number, threshold and filters', async () => {
    expect((await project.search('how is a document stored?', { topK: 2 })).hits).toHaveLength(2);
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

  test('can ask by a route of its own', async () => {
    const stages = async (query: string, route: Route) =>
      (await project.search(query, { route })).hits.flatMap(({ trace }) => trace.map(({ stage }) => stage));
    expect(await stages('argon2id', 'text')).not.toContain('dense');
    expect(await stages('argon2id', 'dense')).not.toContain('text');
    const uris = async (query: string, route: Route) =>
      (await project.search(query, { route })).hits.map(({ document }) => document.uri);
    expect(await uris('a salt of sixteen bytes', 'exact')).toEqual(['docs/passwords.md']);
    expect(await uris('"a salt of sixteen bytes"', 'exact')).toEqual(['docs/passwords.md']);
    expect(await uris('A salt of sixteen bytes', 'exact')).toEqual([]);
    expect(await uris('argon\\d\\w+|light bre{2}ze', 'regex')).toEqual(
      expect.arrayContaining(['docs/passwords.md', 'docs/weather.md']),
    );
    await expect(project.search('(', { route: 'regex' })).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test('brings up the file that it names, and the text that it quotes', async () => {
    expect((await first('what does weather.md say?'))?.document.uri).toBe('docs/weather.md');
    expect(
      (await first('TypeError: x is not a function at run (/home/me/app/lib/parser.py:4:7)'))?.document.uri,
    ).toBe('lib/parser.py');
    const quoted = await first('who wrote "documents.get(uri)" and why is it there?');
    expect(quoted?.document.uri).toBe('src/store.ts');
    expect(quoted?.trace.map(({ note }) => note)).toContain('has the quoted words as they stand');
  });

  test('is answered from memory until the index changes', async () => {
    const query = 'how are credentials kept?';
    const searches = vi.spyOn(await project.store(), 'searchText');
    const before = await project.search(query, { update: false });
    expect(await project.search(query, { update: false })).toEqual(before);
    expect(searches).toHaveBeenCalledTimes(1);
    await project.search(query, { topK: 1, update: false });
    expect(searches).toHaveBeenCalledTimes(2);
    searches.mockRestore();
    await project.add({ name: 'vault', text: 'Credentials are kept in the vault of the third floor.' });
    const after = await project.search(query, { update: false });
    expect(after.hits[0]?.document.uri).toBe('virtual:vault');
    await project.remove('virtual:vault');
    expect((await project.search(query, { update: false })).hits).toEqual(before.hits);
  });

  test.each(['', '   ', '\n'])('with no words is refused: %j', async (query) => {
    await expect(project.search(query)).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test.each(['"', '*', 'a" OR "b', "'; DROP TABLE chunks; --", 'NEAR(', '🙂', '\u0000', 'x'.repeat(20_000)])(
    'may be anything: %j',
    async (query) => {
      expect(Array.isArray((await project.search(query)).hits)).toBe(true);
    },
  );
});

test('without its model the engine answers from text alone and says why', async () => {
  const broken = {
    ...(await project.embedder()),
    embed: () => Promise.reject(new QuarryError('requirement-missing', 'No runtime.', 'Install it.')),
  };
  const parts = { store: await project.store(), embedder: async () => broken };
  const request = {
    query: 'argon2id',
    topK: 3,
    candidates: 50,
    perDocument: 3,
    threshold: 0,
    denseWeight: 0.5,
  };
  const { hits, warnings } = await search(parts, request);
  expect(hits[0]?.document.uri).toBe('docs/passwords.md');
  expect(warnings).toMatchObject([{ code: 'requirement-missing', remedy: 'Install it.' }]);
});

test.each(optionalStages)('the step %s can be left out, and the rest still answers', async (stage) => {
  const parts = { store: await project.store(), embedder: () => project.embedder() };
  const request = { topK: 5, candidates: 50, perDocument: 3, threshold: 0, off: [stage] };
  const { hits } = await search(parts, { ...request, query: 'where is putDocument in "store.ts"?' });
  expect(hits.length).toBeGreaterThan(0);
  const notes = hits.flatMap(({ trace }) => trace.map(({ stage: name, note }) => note ?? name));
  expect(notes).not.toContain(
    {
      paths: 'path',
      quotes: 'quote',
      rules: 'defines what is asked for',
      coherence: 'what else was found in its file',
    }[stage as string] ?? 'nothing',
  );
});

describe('with files of its own', () => {
  const parts = async (contents: Record<string, string>) => {
    const own = await openProject(await temporaryFolder(contents), {
      settings: { 'embedder.driver': 'hashing' },
    });
    for await (const event of own.index()) if (event.type === 'document-failed') throw event;
    return { store: await own.store(), embedder: () => own.embedder(), close: () => own.close() };
  };
  const request = { topK: 20, candidates: 50, perDocument: 1, threshold: 0 };
  const stagesOf = ({ trace }: { trace: readonly { stage: string }[] }) => trace.map(({ stage }) => stage);

  test('the file that a query names is lifted, and no other that the path happens to end with', async () => {
    const own = await parts({ 'index.ts': 'export const a = 1;', 'src/foo/index.ts': 'export const b = 2;' });
    const { hits } = await search(own, { ...request, query: 'what is in src\\foo\\index.ts:1 there' });
    const named = hits.filter(({ trace }) => trace.some(({ note }) => note === 'is the file that is named'));
    expect(named.map(({ document }) => document.uri)).toEqual(['src/foo/index.ts']);
    expect(hits.filter((hit) => stagesOf(hit).includes('path'))).toEqual(named);
    await own.close();
  });

  test('a place that is named or quoted twice stands once in the trace, with all that was found', async () => {
    const own = await parts({ 'a.md': 'red fox and red fox, blue dog', 'b.md': 'blue dog' });
    const query = 'a.md "red fox" "blue dog" x/a.md:1';
    const { hits } = await search(own, { ...request, query });
    const both = hits.find(({ document }) => document.uri === 'a.md');
    expect(both?.trace.filter(({ stage }) => stage === 'quote')).toEqual([
      { stage: 'quote', rank: 1, score: 3 },
    ]);
    expect(both?.trace.filter(({ stage }) => stage === 'path')).toHaveLength(1);
    await own.close();
  });

  test.each<[Route, string, string[]]>([
    ['regex', ' {4}return', ['a.js']],
    ['regex', '^\\s+return b;$', ['b.js']],
    ['exact', '"b"', ['a.js', 'b.js']],
    ['exact', '"a" + "b"', ['a.js']],
    ['exact', '" return b"', ['b.js']],
  ])('%s takes what is asked as it stands: %s', async (route, query, uris) => {
    const own = await parts({
      'a.js': 'function a() {\n    return "a" + "b";\n}\n',
      'b.js': 'function b() {\n return b;\n}\nconst c = `xa" + "bx`;\n',
    });
    const { hits } = await search(own, { ...request, query, route });
    expect([...new Set(hits.map(({ document }) => document.uri))].sort()).toEqual(uris);
    await own.close();
  });

  test('one document does not fill the list while there are others, which stand where their scores put them', async () => {
    const section = (word: string) => `# ${word}\n\n${`budget ${word} `.repeat(300)}\n\n`;
    const own = await parts({ 'many.md': ['one', 'two', 'three'].map(section).join(''), 'few.md': 'budget' });
    const query = 'budget one two three';
    const { hits } = await search(own, { ...request, query, route: 'text', topK: 4 });
    expect(hits.map(({ document }) => document.uri)).toContain('few.md');
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    await own.close();
  });
});

test('while most vectors are missing, the few that there are do not pass for the best', async () => {
  const place = await temporaryFolder({
    'a.md': '# Weather\n\nThe forecast for tomorrow is sunny.',
    'b.md': '# Locks\n\nThe lock is taken by the writer, and released at the end.',
    'c.md': '# Tea\n\nGreen tea is steeped for three minutes.',
  });
  const settings = { 'embedder.driver': 'hashing', 'index.search_seconds': 0, 'cache.max_bytes': 0 };
  const own = await openProject(place, { settings });
  for await (const event of own.index({ giveWay: AbortSignal.abort() }))
    if (event.type === 'document-failed') throw event;
  const store = await own.store();
  const embedder = await own.embedder();
  const missing = await store.missingVectors(embedder.fingerprint, 3);
  const first = missing.find(({ text }) => text.includes('forecast'));
  const [vector] = await embedder.embed([first?.text ?? ''], { as: 'chunk' });
  if (!first || !vector) throw new TypeError('One chunk has a vector.');
  await addVectors(store, embedder.fingerprint, [{ embeddingKey: first.embeddingKey, vector }]);
  const { hits, analysis, warnings } = await own.search('how is the lock taken?', { update: false });
  expect(hits[0]?.document.uri).toBe('b.md');
  // The best text hits are compared on the spot, so that the one vector has rivals.
  expect(analysis?.denseShare).toBeGreaterThan(0);
  expect(hits[0]?.trace.map(({ stage }) => stage)).toContain('dense');
  expect(warnings).toMatchObject([
    {
      code: 'vectors-pending',
      message: expect.stringMatching(/found by (its|their) words, and .* by meaning/),
    },
  ]);
  const asked = await own.search('how is the lock taken?', { update: false, route: 'dense', threshold: 0 });
  expect(asked.hits).toHaveLength(1);
  await own.close();
});

test('a filter for a place that holds nothing is said where nothing is found', async () => {
  const place = await temporaryFolder({ 'a.md': '# Tea\n\nGreen tea.', 'b/c.md': '# Ships\n\nA ship.' });
  const own = await openProject(place, { settings: { 'embedder.driver': 'hashing' } });
  onTestFinished(() => own.close());
  for await (const _ of own.index());
  const codes = async (paths: string[]) => {
    const { hits, warnings } = await own.search('tea', { filter: { paths }, route: 'text' });
    return [hits.length, ...warnings.map(({ code }) => code)];
  };
  expect(await codes(['a.md'])).toEqual([1]);
  expect(await codes(['b/**'])).toEqual([0]);
  expect(await codes(['d/**'])).toEqual([0, 'document-not-found']);
});
