import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Project } from '../src/calls/project.ts';
import { userConfigFolder } from '../src/platform/environment.ts';
import { resultOf } from '../src/platform/streams.ts';
import { type OpenOptions, openProject } from '../src/project/open-project.ts';
import { giveConsent, withdrawConsent } from '../src/user/consent.ts';
import { failure, indexEvents } from './index-events.ts';
import { callQuarry } from './quarry-call.ts';
import { startQuarry } from './quarry-process.ts';
import type { EmbeddingServer } from './servers/embedding/embedding-server.ts';
import { startOpenAiServer } from './servers/embedding/openai-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

let folder: string;
let home: string;
const opened: Project[] = [];
const servers: EmbeddingServer[] = [];

beforeEach(async () => {
  folder = await temporaryFolder({ 'apples.md': '# Apples\n\nApples are stored in the cellar.\n' });
  home = await temporaryFolder();
});

afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
  for (const server of servers.splice(0)) await server.close();
});

async function start(key?: string): Promise<EmbeddingServer> {
  const server = await startOpenAiServer({ model: 'test-embedding', ...(key !== undefined && { key }) });
  servers.push(server);
  return server;
}

async function open(variables: Record<string, string> = {}, options: OpenOptions = {}): Promise<Project> {
  const environment = {
    HOME: home,
    QUARRY_CACHE_MAX_BYTES: '0',
    QUARRY_RESOURCES_THREADS: '1',
    ...variables,
  };
  const project = await openProject(folder, {
    ...options,
    environment: (name) => (environment as Record<string, string>)[name],
  });
  opened.push(project);
  return project;
}

const described = ({ url }: EmbeddingServer) => ({ driver: 'openai', url, model: 'test-embedding' });
const inUse = (server: EmbeddingServer) =>
  Object.fromEntries(Object.entries(described(server)).map(([key, value]) => [`embedder.${key}`, value]));

async function writeSettings({ url }: EmbeddingServer): Promise<void> {
  const toml = `[embedder]\ndriver = "openai"\nurl = "${url}"\nmodel = "test-embedding"\n`;
  await writeFile(join(folder, 'quarry.toml'), toml);
}

test('consent that is withdrawn holds for what is already running, and so does giving it again', async () => {
  const server = await start();
  const address = new URL(server.url);
  const config = userConfigFolder((name) => ({ HOME: home })[name]);
  await writeSettings(server);
  await giveConsent(config, folder, address);
  const project = await open();
  expect(failure(await indexEvents(project))).toBeUndefined();

  await withdrawConsent(config, folder);
  const calls = server.calls.length;
  await writeFile(join(folder, 'pears.md'), '# Pears\n\nPears are dried in the oven.\n');
  expect(failure(await indexEvents(project))).toMatchObject({
    error: { code: 'consent-missing' },
    pending: 1,
  });
  expect((await project.search('drying pears')).warnings).toMatchObject([{ code: 'consent-missing' }]);
  expect(server.calls).toHaveLength(calls);

  await giveConsent(config, folder, address);
  expect(failure(await indexEvents(project))).toBeUndefined();
  expect(server.calls.length).toBeGreaterThan(calls);
});

test('an index that was made here still answers when settings name a server without consent, and says which one', async () => {
  await writeFile(join(folder, 'pears.md'), '# Pears\n\nPears are dried in the oven.\n');
  const local = await open();
  await indexEvents(local);
  const settings =
    '[embedder]\ndriver = "openai"\nurl = "https://api.example.com/v1"\nmodel = "text-embedding-3-small"\n';
  await writeFile(join(folder, 'quarry.toml'), settings);
  const project = await open();
  const asked = [{ code: 'consent-missing', message: expect.stringContaining('https://api.example.com') }];
  // As a search does it: bring up to date, with a file that no local vector is made of, then ask.
  const freshness = await resultOf(project.freshen({ update: true }));
  expect(freshness.warnings).toMatchObject(asked);
  for (const outcome of [
    await project.search('apples in the cellar'),
    await project.search('apples in the cellar', { filter: { paths: ['apples.md'] } }),
    await project.context('apples in the cellar'),
    await resultOf(project.ask('Where are apples stored?')),
  ])
    expect(outcome.warnings).toMatchObject(asked);
  expect((await project.search('apples in the cellar')).hits[0]?.document.uri).toContain('apples.md');

  for (const words of [
    ['search', 'apples'],
    ['context', 'apples', '--threshold', '0'],
    ['ask', 'apples'],
  ]) {
    const { code, stdout, stderr } = await callQuarry(folder, words, { HOME: home });
    expect([words[0], code]).toEqual([words[0], 0]);
    expect(stdout).toContain('apples.md');
    expect(stderr).toContain('quarry consent give https://api.example.com');
  }
});

describe('on the command line', () => {
  const run = (...words: string[]) => callQuarry(folder, words, { HOME: home });
  const start = (...words: string[]) => startQuarry(folder, words, { HOME: home }).finished;

  test('what several processes agree to at the same moment is all kept', async () => {
    const hosts = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.test`);
    const ended = await Promise.all(hosts.map((host) => start('consent', 'give', host)));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const { consents } = JSON.parse((await run('consent', '--json')).stdout);
    expect(consents.map(({ address }: { address: string }) => address).sort()).toEqual(hosts);
  });

  test('withdrawing says what a consent for all projects still allows, and how to end it', async () => {
    await run('consent', 'give', 'https://a.test');
    await run('consent', 'give', 'https://a.test', '--everywhere');
    await run('consent', 'give', 'https://b.test', '--everywhere');
    const withdrawn = await run('consent', 'withdraw', 'https://a.test');
    expect(withdrawn.stderr).toContain('https://a.test is still allowed for every project');
    expect(withdrawn.stderr).toContain('run: quarry consent withdraw https://a.test --everywhere');
    expect(withdrawn.stderr).not.toContain('https://b.test is still allowed');
    const all = await run('consent', 'withdraw', '--json');
    expect(JSON.parse(all.stdout).still_allowed).toEqual(['https://a.test', 'https://b.test']);
    const everywhere = await run('consent', 'withdraw', '--everywhere');
    expect(everywhere.stderr).not.toContain('still allowed');
    expect(everywhere.stderr).toContain('No text may leave this machine.');
  });

  test('the doctor leaves no trace in a folder that was never indexed', async () => {
    const { code, stdout } = await run('doctor', '--set', 'embedder.driver=hashing');
    expect(stdout).toContain('hashing');
    expect(code).toBe(0);
    expect(await stat(join(folder, '.quarry')).catch(() => 'absent')).toBe('absent');
  });
});

describe('keys', () => {
  const sent = ({ calls }: EmbeddingServer) => [
    ...new Set(calls.map(({ headers }) => headers.authorization as string | undefined)),
  ];

  test('of named servers come from a variable each, and go to no other server', async () => {
    const [first, second, third] = [await start('one'), await start('two'), await start()];
    const embedders = { 'my-box': described(second), open: described(third) };
    const variables = { QUARRY_EMBEDDER_API_KEY: 'one', QUARRY_EMBEDDER_MY_BOX_API_KEY: 'two' };
    const project = await open(variables, { settings: { ...inUse(first), embedders } });
    expect(failure(await indexEvents(project))).toBeUndefined();
    expect([first, second, third].map(sent)).toEqual([['Bearer one'], ['Bearer two'], [undefined]]);
  });

  test('that a named server wants and has not got are asked for by the name of its own variable', async () => {
    const [first, second] = [await start('one'), await start('two')];
    const project = await open(
      { QUARRY_EMBEDDER_API_KEY: 'one' },
      { settings: { ...inUse(first), embedders: { other: described(second) } } },
    );
    expect(failure(await indexEvents(project))).toMatchObject({
      error: { code: 'provider-key', remedy: expect.stringContaining('QUARRY_EMBEDDER_OTHER_API_KEY') },
    });
    expect(sent(second)).toEqual([undefined]);
  });

  test('of the server in use do not go to the one that was in use before it', async () => {
    const [previous, current] = [await start(), await start('new')];
    const consent = [previous.url, current.url];
    await writeSettings(previous);
    const before = await open({}, { consent });
    await indexEvents(before);
    await before.close();
    await writeSettings(current);
    const project = await open({ QUARRY_EMBEDDER_API_KEY: 'new' }, { consent });
    const calls = previous.calls.length;
    await project.search('cellar', { update: false });
    expect(previous.calls.slice(calls).map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});
