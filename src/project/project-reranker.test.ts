import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChunkScore, Reranker } from '../contracts/reranker.ts';
import { tinyCrossEncoder } from '../drivers/rerankers/cross-encoder/tiny-cross-encoder.fixture.ts';
import { doctorOperation } from '../operations/doctor.ts';
import { rerankedCandidates } from '../retrieval/rerank/reranked.fixture.ts';
import { chunkEntries, documentRecord } from '../testing/documents.ts';
import { startRerankServer } from '../testing/rerank-servers/rerank-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openProject } from './open-project.ts';
import type { Project } from './project.ts';

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
  test('has no reranker unless the settings name one', async () => {
    const project = await open({});
    expect(await project.reranker()).toBeUndefined();
    expect(project.settings.reranker).toEqual({ budget_ms: 500, candidates: 20 });
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
    const project = await open({ settings: { 'reranker.driver': 'maxsim', 'reranker.weight': 0.25 } });
    const reranker = await project.reranker();
    expect(reranker?.weight).toBe(0.25);
    expect(await scoresOf(reranker)).toHaveLength(2);
  });

  test('names the rerankers there are when asked for another', async () => {
    await expect(open({ settings: { 'reranker.driver': 'oracle' } })).rejects.toMatchObject({
      code: 'driver-unknown',
      remedy: 'Use one of: maxsim, cross-encoder, http.',
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
    const settings = { 'reranker.driver': 'http', 'reranker.protocol': 'tei', 'reranker.url': server.url };
    const { reranker } = await open({ settings });
    // The time is over as soon as the server has got the question.
    const clock = { now: () => 0, wait: () => server.received(1) };
    const silent = await rerankedCandidates(reranker, 'store', candidates, { ...patient, clock });
    expect(silent.candidates).toBe(candidates);
    expect(silent.warnings).toMatchObject([{ code: 'reranking-failed' }]);
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
    const toml = '[reranker]\ndriver = "http"\nprotocol = "tei"\nurl = "https://host"\nmodel = "BAAI/bge"\n';
    const project = await open({ files: { 'quarry.toml': toml } });
    expect(project.settings.reranker.model).toBe('BAAI/bge');
  });

  test('cannot agree to an address, not even to one of this machine', async () => {
    const server = await startRerankServer({ protocol: 'tei', key: 'own' });
    const settings = { 'reranker.driver': 'http', 'reranker.protocol': 'tei', 'reranker.url': server.url };
    const toml = `[reranker]\ndriver = "http"\nprotocol = "tei"\nurl = "${server.url}"\n`;
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
  const { resolveSettings } = await import('./settings/config.ts');
  const resolved = await resolveSettings({
    folder: project.folder,
    environment: () => undefined,
    variableNames: ['QUARRY_RERANKER_API_KEY'],
  });
  expect(resolved.settings.reranker.driver).toBeUndefined();
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
