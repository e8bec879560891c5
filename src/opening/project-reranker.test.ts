import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startRerankServer } from '../../test/servers/rerank/rerank-server.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { ChunkScore, Reranker } from '../contracts/reranker.ts';
import { tinyCrossEncoder } from '../drivers/rerankers/cross-encoder/tiny-cross-encoder.fixture.ts';
import { doctorOperation } from '../operations/setup/doctor.ts';
import { openProject } from '../project/open-project.ts';
import { rerankedCandidates } from '../retrieval/rerank/reranked.fixture.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

interface Given {
  readonly files?: Record<string, string>;
  readonly settings?: Record<string, unknown>;
  readonly variables?: Record<string, string>;
}

async function open({ files = {}, settings = {}, variables = {} }: Given): Promise<Project> {
  const home = await temporaryFolder();
  const environment = (name: string) => ({ HOME: home, XDG_CONFIG_HOME: home, ...variables })[name];
  const project = await openProject(await temporaryFolder(files), { settings, environment });
  opened.push(project);
  return project;
}

async function scoresOf(reranker: Reranker | undefined): Promise<ChunkScore[]> {
  const { signal } = new AbortController();
  const all: ChunkScore[] = [];
  for await (const batch of reranker?.score('store', ['garden', 'store'], { budgetMs: 60_000, signal }) ?? [])
    all.push(...batch);
  return all.sort((a, b) => a.index - b.index);
}

const document = documentRecord('a.md');
const candidates = chunkEntries(document, ['garden', 'zebra', 'harbour', 'store']).map(({ chunk }) => ({
  match: { chunk, document, score: 1 },
  score: 1,
  trace: [],
}));
const patient = { budgetMs: 60_000, candidates: 20 };

describe('a project', () => {
  test('uses maxsim with the bundled model and the cache, and none otherwise or where that is asked for', async () => {
    const withCache = { 'cache.max_bytes': 2 ** 20 };
    const bundled = await open({ settings: withCache });
    expect((await bundled.reranker())?.facts).toMatchObject({ model: 'quarry-minilm-l4' });
    for (const settings of [
      { ...withCache, 'embedder.driver': 'hashing' },
      { ...withCache, 'reranker.driver': 'none' },
      { 'cache.max_bytes': 0 },
    ])
      expect(await (await open({ settings })).reranker()).toBeUndefined();
  });

  test('keeps what it needs with the vectors, so that nothing but the query is left to be made', async () => {
    const files = {
      'lock.md': 'The writer keeps a lock while it replaces a document.',
      'lentils.md': 'Lentils need an hour and salt at the end.',
      'sail.md': 'A sail is reefed before the wind becomes strong.',
    };
    const cacheFolder = await temporaryFolder();
    const given = {
      settings: { 'cache.max_bytes': 2 ** 24, 'search.threshold': 0, 'reranker.budget_ms': 10_000 },
      variables: { QUARRY_CACHE_FOLDER: cacheFolder },
    };
    const project = await open({ files, ...given });
    for await (const _ of project.index());
    const cache = new DatabaseSync(join(cacheFolder, 'vectors.db'), { readOnly: true });
    expect(cache.prepare('SELECT count(*) AS sketches FROM sketches').get()).toEqual({ sketches: 3 });
    cache.close();
    const query = 'who may write while a file is replaced?';
    const { hits } = await project.search(query, { update: false });
    const ranks = hits.map(({ trace }) => trace.find(({ stage }) => stage === 'rerank')?.rank);
    expect(hits[0]?.document.uri).toBe('lock.md');
    expect(ranks.toSorted()).toEqual([1, 2, 3]);
    await project.close();
    const again = await open({ files, ...given });
    for await (const _ of again.index());
    expect((await again.search(query, { update: false })).hits.map(({ score }) => score)).toEqual(
      hits.map(({ score }) => score),
    );
  });

  test('makes what the cache lacks after the answer, and waits for it where it is named', async () => {
    const files = {
      'lock.md': 'The writer keeps a lock while it replaces a document.',
      'sail.md': 'A sail is reefed before the wind becomes strong.',
    };
    const cacheFolder = await temporaryFolder();
    const settings = { 'cache.max_bytes': 2 ** 24, 'search.threshold': 0, 'reranker.budget_ms': 10_000 };
    const variables = { QUARRY_CACHE_FOLDER: cacheFolder, QUARRY_DATA_FOLDER: cacheFolder };
    const first = await open({ files, settings, variables });
    for await (const _ of first.index());
    const cache = new DatabaseSync(join(cacheFolder, 'vectors.db'), { timeout: 60_000 });
    const count = () => cache.prepare('SELECT count(*) AS sketches FROM sketches').get()?.sketches;
    cache.exec('DELETE FROM sketches');
    const isReranked = async (project: Project, query: string) => {
      const { hits, warnings } = await project.search(query, { update: false });
      expect(warnings).toEqual([]);
      return hits.some(({ trace }) => trace.some(({ stage }) => stage === 'rerank'));
    };
    expect(await isReranked(first, 'who may write?')).toBe(false);
    await vi.waitUntil(() => count() === 2, { timeout: 60_000 });
    // Also the same question: the previous answer was not the last word.
    expect(await isReranked(first, 'who may write?')).toBe(true);
    cache.exec('DELETE FROM sketches');
    const named = await openProject(first.folder, {
      settings: { ...settings, 'reranker.driver': 'maxsim' },
      environment: (name) => ({ HOME: cacheFolder, ...variables })[name],
    });
    opened.push(named);
    expect(await isReranked(named, 'who may write?')).toBe(true);
    cache.close();
  });

  test('says once that the cache cannot be written, and answers without what it would keep', async () => {
    const files = { 'a.md': 'A lock is kept.', 'b.md': 'The lock of a door.' };
    // A folder stands where the file should.
    const cacheFolder = await temporaryFolder({ 'vectors.db/file': '' });
    const settings = { 'cache.max_bytes': 2 ** 24, 'search.threshold': 0 };
    const project = await open({ files, settings, variables: { QUARRY_CACHE_FOLDER: cacheFolder } });
    for await (const _ of project.index());
    const codes = async (query: string) => {
      const { hits, warnings } = await project.search(query, { update: false });
      expect(hits).toHaveLength(2);
      return warnings.map(({ code }) => code);
    };
    await expect.poll(() => codes('who keeps a lock?')).toEqual(['store-unusable']);
    for (let more = 0; more < 5; more += 1) expect(await codes(`which door ${more}?`)).toEqual([]);
  });

  test('has no word in a search for literal text or for words alone, unless it is named', async () => {
    const files = { 'a.md': 'A lock is kept.', 'b.md': 'The lock of a door.' };
    const stages = async (settings: Record<string, unknown>, route: 'text' | 'exact') => {
      const project = await open({ files, settings: { 'cache.max_bytes': 2 ** 24, ...settings } });
      for await (const _ of project.index());
      const { hits } = await project.search('lock', { route, update: false });
      return hits.flatMap(({ trace }) => trace.map(({ stage }) => stage)).includes('rerank');
    };
    expect(await stages({}, 'text')).toBe(false);
    expect(await stages({}, 'exact')).toBe(false);
    expect(await stages({ 'reranker.driver': 'maxsim', 'reranker.budget_ms': 10_000 }, 'text')).toBe(true);
  });

  test('opens the one that the settings name, once', async () => {
    const model = await tinyCrossEncoder();
    const project = await open({ settings: { 'reranker.driver': 'cross-encoder', 'reranker.model': model } });
    const reranker = await project.reranker();
    expect(await project.reranker()).toBe(reranker);
    const [garden, store] = await scoresOf(reranker);
    expect(store?.score).toBeGreaterThan(garden?.score ?? 1);
  });

  test('lends its embedder to maxsim, and says so where that has no token vectors', async () => {
    const settings = { 'reranker.driver': 'maxsim', 'embedder.driver': 'hashing' };
    await expect((await open({ settings })).reranker()).rejects.toMatchObject({ code: 'config-invalid' });
    const project = await open({ settings: { 'reranker.driver': 'maxsim' } });
    const reranker = await project.reranker();
    expect(reranker?.weight).toBe(0.5);
    expect(await scoresOf(reranker)).toHaveLength(2);
  });

  test('names the rerankers there are when asked for another', async () => {
    await expect(open({ settings: { 'reranker.driver': 'oracle' } })).rejects.toMatchObject({
      code: 'config-invalid',
      remedy: 'Use one of: auto, none, maxsim, cross-encoder, cohere, jina, tei.',
    });
  });

  test('refuses a setting that its reranker does not take', async () => {
    const project = await open({ settings: { 'reranker.driver': 'maxsim', 'reranker.url': 'http://x' } });
    await expect(project.reranker()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('[reranker]'),
    });
  });
});

describe('a budget', () => {
  test('ends the wait for a server that never answers, which is asked again', async () => {
    const server = await startRerankServer({ protocol: 'tei' });
    server.inject({ kind: 'silent' });
    const settings = { 'reranker.driver': 'tei', 'reranker.url': server.url };
    const { reranker } = await open({ settings });
    // The time is over as soon as the server has got the question.
    const clock = { now: () => 0, wait: () => server.received(1) };
    const silent = await rerankedCandidates(reranker, 'store', candidates, { ...patient, clock });
    expect(silent.candidates).toBe(candidates);
    expect(silent.warnings).toMatchObject([{ code: 'model-failed' }]);
    const { warnings, candidates: found } = await rerankedCandidates(reranker, 'store', candidates, patient);
    expect(warnings).toEqual([]);
    expect(found.at(0)?.match.chunk.text).toBe('store');
    await server.close();
  });

  test('that ends in the middle of the work leaves the model ready for the next question', async () => {
    const { reranker } = await open({ settings: { 'reranker.driver': 'maxsim' } });
    for (const budgetMs of [1, 5, 20]) {
      const { candidates: kept } = await rerankedCandidates(reranker, 'store', candidates, {
        budgetMs,
        candidates: 20,
      });
      expect(kept).toHaveLength(candidates.length);
    }
    // Another opener, as the first one may have a rest after three questions without an answer.
    const { candidates: found } = await rerankedCandidates(() => reranker(), 'store', candidates, patient);
    expect(found.at(0)?.match.chunk.text).toBe('store');
    expect(found.every(({ trace }) => trace.some(({ stage }) => stage === 'rerank'))).toBe(true);
  });
});

describe('a file that came with the folder', () => {
  test('may not name the folder of a model', async () => {
    const files = { 'quarry.toml': '[reranker]\ndriver = "cross-encoder"\nmodel = "./weights"\n' };
    await expect(open({ files })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('reranker.model'),
    });
  });

  test('may name the model of a server, even one with a slash', async () => {
    const toml = '[reranker]\ndriver = "tei"\nurl = "https://host"\nmodel = "BAAI/bge"\n';
    const project = await open({ files: { 'quarry.toml': toml } });
    expect(project.settings.reranker.model).toBe('BAAI/bge');
  });

  test('cannot agree to an address, not even to one of this machine', async () => {
    const server = await startRerankServer({ protocol: 'tei', key: 'own' });
    const settings = { 'reranker.driver': 'tei', 'reranker.url': server.url };
    const toml = `[reranker]\ndriver = "tei"\nurl = "${server.url}"\n`;
    const theirs = await open({ files: { 'quarry.toml': toml } });
    await expect(theirs.reranker()).rejects.toMatchObject({ code: 'consent-missing' });
    const ours = await open({ settings, variables: { QUARRY_RERANKER_API_KEY: 'own' } });
    expect(await scoresOf(await ours.reranker())).toHaveLength(2);
    expect(server.calls).toHaveLength(1);
    await server.close();
  });
});

test('the key of a server is no unknown setting', async () => {
  const project = await openProject(await temporaryFolder(), {});
  opened.push(project);
  const { resolveSettings } = await import('../settings/config.ts');
  const resolved = await resolveSettings({
    folder: project.folder,
    environment: () => undefined,
    variableNames: ['QUARRY_RERANKER_API_KEY'],
  });
  expect(resolved.settings.reranker.driver).toBe('auto');
});

describe('doctor', () => {
  const checkOf = async (project: Project) => {
    const { value } = await doctorOperation.run(project, {}, {}).next();
    return (value as { checks: { name: string }[] }).checks.find(({ name }) => name === 'reranker');
  };

  test('says nothing of a reranker that nobody asked for', async () => {
    expect(await checkOf(await open({ settings: { 'embedder.driver': 'hashing' } }))).toBeUndefined();
  });

  test('tells what the reranker runs on and how long it takes', async () => {
    const model = await tinyCrossEncoder();
    const settings = {
      'embedder.driver': 'hashing',
      'reranker.driver': 'cross-encoder',
      'reranker.model': model,
      'reranker.budget_ms': 10_000,
    };
    expect(await checkOf(await open({ settings }))).toMatchObject({
      state: 'good',
      detail: expect.stringMatching(/^cross-encoder, model .*, 20 chunks in \d+ ms of 10000 ms$/),
    });
  });

  test('tells what is wrong with one that cannot be opened', async () => {
    const settings = {
      'embedder.driver': 'hashing',
      'reranker.driver': 'cross-encoder',
      'reranker.model': join('.', 'nowhere', 'at-all'),
    };
    expect(await checkOf(await open({ settings }))).toMatchObject({
      state: 'bad',
      remedy: expect.stringContaining('folder'),
    });
  });
});
