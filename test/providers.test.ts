import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import { type OpenOptions, openProject } from '../src/project/open-project.ts';
import { failure, indexEvents } from './index-events.ts';
import { callQuarry } from './quarry-call.ts';
import type { EmbeddingServer } from './servers/embedding/embedding-server.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const files = {
  'apples.md': '# Apples\n\nApples are stored in the cellar through the winter.\n',
  'pears.md': '# Pears\n\nPears are dried in the oven and kept in jars.\n',
};

let server: EmbeddingServer;
let folder: string;
let home: string;
const opened: Project[] = [];

beforeEach(async () => {
  server = await startOpenAiServer({ model: 'test-embedding' });
  folder = await temporaryFolder(files);
  home = await temporaryFolder();
});

afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
  await server.close();
});

async function open(settings: Record<string, unknown> = {}, options: OpenOptions = {}): Promise<Project> {
  const project = await openProject(folder, {
    settings: {
      'embedder.driver': 'openai',
      'embedder.url': server.url,
      'embedder.model': 'test-embedding',
      ...settings,
    },
    environment: (name) =>
      ({ HOME: home, QUARRY_CACHE_FOLDER: join(home, 'cache'), QUARRY_RESOURCES_THREADS: '1' })[name],
    ...options,
  });
  opened.push(project);
  return project;
}

describe('a server of embeddings', () => {
  test('makes the vectors of an index, and answers questions', async () => {
    const project = await open();
    expect((await indexEvents(project)).at(-1)).toMatchObject({
      summary: { chunks: { embedded: 2, pending: 0 } },
    });
    const { hits, warnings } = await project.search('drying pears', { denseWeight: 1 });
    expect(hits[0]?.document.uri).toBe('pears.md');
    expect(warnings).toEqual([]);
  });

  test('gets nothing while the user has not agreed, and text is searched all the same', async () => {
    await (await import('node:fs/promises')).writeFile(
      join(folder, 'quarry.toml'),
      `[embedder]\ndriver = "openai"\nurl = "${server.url}"\nmodel = "test-embedding"\n`,
    );
    const environment = (name: string) => ({ HOME: home, QUARRY_RESOURCES_THREADS: '1' })[name];
    const project = await openProject(folder, { environment });
    opened.push(project);
    expect(failure(await indexEvents(project))).toMatchObject({
      error: { code: 'consent-missing' },
      pending: 3,
    });
    const { hits, warnings } = await project.search('cellar');
    expect(hits[0]?.document.uri).toBe('apples.md');
    expect(warnings).toMatchObject([{ code: 'consent-missing' }]);
    expect(server.calls).toHaveLength(0);

    const agreed = await openProject(folder, { environment, consent: [server.url] });
    opened.push(agreed);
    expect(failure(await indexEvents(agreed))).toBeUndefined();
    expect(server.calls.length).toBeGreaterThan(0);
  });

  test('that fails for a moment is asked again', async () => {
    server.inject({ kind: 'failing', status: 503, retryAfter: '0' }, { kind: 'limited', retryAfter: '0' });
    const events = await indexEvents(await open());
    expect(failure(events)).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ summary: { chunks: { embedded: 2 } } });
  });

  test('that refuses the key leaves everything pending, and says which key', async () => {
    server.inject({ kind: 'key-refused' });
    const project = await open();
    expect(failure(await indexEvents(project))).toMatchObject({
      error: { code: 'provider-key' },
      pending: 2,
    });
    expect((await project.status()).counts).toMatchObject({ chunks: 2, embedded: 0 });
    expect(failure(await indexEvents(project))).toBeUndefined();
  });
});

describe('when the server is gone', () => {
  test('another embedder of the same space makes the vectors', async () => {
    const project = await open({ 'embedder.space': 'hashing:64', 'embedder.fallback': 'hashing' });
    server.inject({ kind: 'key-refused' });
    const events = await indexEvents(project);
    expect(failure(events)).toBeUndefined();
    expect((await (await project.store()).state()).spaces.get('hashing:64')?.dimensions).toBe(64);
  });

  test('one of another space does not: texts stay pending, and it is said', async () => {
    const project = await open({ 'embedder.fallback': 'hashing' });
    server.inject({ kind: 'key-refused' });
    expect(failure(await indexEvents(project))).toMatchObject({
      error: { message: expect.stringContaining('makes vectors of another space') },
      pending: 2,
    });
  });

  test('a question goes to the fallback where the index has its vectors too', async () => {
    const project = await open({ 'embedder.fallback': 'words', embedders: { words: { driver: 'hashing' } } });
    await indexEvents(project);
    server.inject({ kind: 'key-refused' }, { kind: 'key-refused' });
    const { hits, warnings } = await project.search('drying pears in the oven', { denseWeight: 1 });
    expect(hits[0]?.document.uri).toBe('pears.md');
    expect(warnings).toMatchObject([{ code: 'provider-key' }]);
  });
});

describe('what an index remembers of its embedder', () => {
  test('sends nothing to an address that is no longer agreed to', async () => {
    const toml = `[embedder]\ndriver = "openai"\nurl = "${server.url}"\nmodel = "test-embedding"\n`;
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(folder, 'quarry.toml'), toml);
    const environment = (name: string) => ({ HOME: home, QUARRY_RESOURCES_THREADS: '1' })[name];
    const agreed = await openProject(folder, { environment, consent: [server.url] });
    opened.push(agreed);
    await indexEvents(agreed);
    await writeFile(join(folder, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
    const calls = server.calls.length;
    const withdrawn = await openProject(folder, { environment });
    opened.push(withdrawn);
    await withdrawn.search('drying pears');
    expect(server.calls).toHaveLength(calls);
  });
});

describe('a question may name its embedder', () => {
  test('among those that the project keeps up to date', async () => {
    const project = await open({ embedders: { words: { driver: 'hashing' } } });
    await indexEvents(project);
    const before = server.calls.length;
    const { hits } = await project.search('drying pears in the oven', { denseWeight: 1, embedder: 'words' });
    expect(hits[0]?.document.uri).toBe('pears.md');
    expect(server.calls).toHaveLength(before);
  });

  test('one that the index has no vectors of is an error with the remedy', async () => {
    const project = await open();
    await indexEvents(project);
    await expect(project.search('pears', { embedder: 'hashing' })).rejects.toMatchObject({
      code: 'usage-invalid',
      remedy: 'Add [embedders.hashing] to quarry.toml, then run: quarry index',
    });
  });
});

test('consent is given and withdrawn on the command line', async () => {
  const words = ['--set', 'embedder.driver=gemini'];
  const run = (...command: string[]) => callQuarry(folder, command, { HOME: home, GEMINI_API_KEY: '' });
  const refused = await run('index', ...words);
  expect(refused.code).toBe(7);
  expect(refused.stderr).toContain('Run: quarry consent give https://generativelanguage.googleapis.com');
  expect((await run('consent', 'give', 'https://generativelanguage.googleapis.com')).code).toBe(0);
  const agreed = await run('index', ...words);
  expect(agreed.stderr).toContain('GEMINI_API_KEY');
  expect((await run('consent', 'withdraw')).stderr).toContain('Withdrawn: 1.');
  expect((await run('consent')).stderr).toContain('No text may leave this machine.');
});
