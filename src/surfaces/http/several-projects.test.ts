import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../client/index.ts';
import { userConfigFolder } from '../../platform/environment.ts';
import { openTokens } from '../../user/tokens.ts';
import { startTestServer } from './server.fixture.ts';

interface Found {
  readonly hits: readonly { readonly project: string; readonly path: string; readonly citation: string }[];
  readonly warnings: readonly { readonly message: string; readonly remedy: string }[];
}

let running: Awaited<ReturnType<typeof startTestServer>>;
const folders: Record<string, string> = {};
beforeAll(async () => {
  running = await startTestServer({ isOpen: false });
  for (const id of ['api', 'web', 'secret']) {
    const folder = await running.folder({ 'notes.md': `# Heron\n\nThe heron of ${id} waits.\n` });
    folders[id] = folder;
    await running.client.request('POST', '/v1/projects', { id, folder });
    await running.client.call(id, 'index', {});
  }
});
afterAll(() => running.server.end());

async function asToken(project: string) {
  const tokens = openTokens(userConfigFolder((name) => (name === 'HOME' ? running.home : undefined)));
  const { token } = await tokens.create({ name: 'ci', project, access: 'read' });
  return connect(running.url, { token });
}

const projectsOf = ({ result }: { result: unknown }): string[] =>
  [...new Set((result as Found).hits.map(({ project }) => project))].sort();

test('a token for two projects sees two, whatever it asks for', async () => {
  const client = await asToken('api,web');
  expect(projectsOf(await client.call('*', 'search', { query: 'heron' }))).toEqual(['api', 'web']);
  expect(projectsOf(await client.call('web', 'search', { query: 'heron', full: true }))).toEqual([undefined]);
  expect(projectsOf(await client.call('web,api', 'search', { query: 'heron' }))).toEqual(['api', 'web']);
  for (const address of ['api,secret', 'x=secret', 'secret'])
    await expect(client.call(address, 'search', { query: 'heron' })).rejects.toMatchObject({
      code: 'access-denied',
    });
  await expect(client.call('*', 'read', { places: ['secret:notes.md'] })).rejects.toMatchObject({
    code: 'document-not-found',
  });
  const { projects } = (await client.request('GET', '/v1/projects')) as { projects: { name: string }[] };
  expect(projects.map(({ name }) => name)).toEqual(['api', 'web']);
});

test('what was found is read as it is shown, and no folder of the server is named', async () => {
  const client = await asToken('*');
  const { result } = await client.call('*', 'search', { query: 'heron of web' });
  const first = (result as Found).hits.find(({ project }) => project === 'web');
  expect(first).toMatchObject({ path: 'web:notes.md', citation: 'web:notes.md:1-3' });
  const read = await client.call('*', 'read', { places: [first?.citation, 'api:notes.md'] });
  expect(read.result).toMatchObject({ path: 'web:notes.md', further: [{ path: 'api:notes.md' }] });
  expect(JSON.stringify([result, read.result])).not.toContain(running.home);
});

test('what is of one project is refused for several, and unknown ones are named', async () => {
  const client = await asToken('*');
  await expect(client.call('api,web', 'status', {})).rejects.toMatchObject({
    code: 'usage-invalid',
    message: '"status" works with one project at a time.',
  });
  await expect(client.call('api,gone', 'search', { query: 'x' })).rejects.toMatchObject({
    code: 'project-not-found',
  });
});

test('a folder that nobody registered has a readable name, which opens nothing by itself', async () => {
  const folder = await running.folder({ 'plan.md': '# Plan\n\nThe heron has a plan.\n' });
  const { id } = await running.client.openFolder(folder);
  const { name } = (await running.client.request('GET', `/v1/projects/${id}`)) as { name: string };
  expect(name).toBe(basename(folder));
  const { result } = await running.client.call(name, 'search', { query: 'plan', full: true });
  expect((result as Found).hits[0]?.path).toBe('plan.md');
  // A token that was made for a project of this name is not one for the folder.
  const client = await asToken(name);
  await expect(client.call(name, 'search', { query: 'plan' })).rejects.toMatchObject({
    code: 'access-denied',
  });
});

test('an address may have two hundred names, and no more', async () => {
  const client = await asToken('*');
  const named = (count: number): string =>
    Array.from({ length: count }, (_, at) => (at % 2 ? 'api' : 'web')).join(',');
  expect(projectsOf(await client.call(named(200), 'search', { query: 'heron' }))).toEqual(['api', 'web']);
  await expect(client.call(named(201), 'search', { query: 'heron' })).rejects.toMatchObject({
    code: 'usage-invalid',
    message: '201 projects are named; the most is 200.',
  });
  const unknown = Array.from({ length: 199 }, (_, at) => `gone-${at}`).join(',');
  await expect(client.call(`api,${unknown}`, 'search', { query: 'heron' })).rejects.toMatchObject({
    code: 'project-not-found',
  });
});

test('projects whose folders go, or that are forgotten, while all are asked cost their hits alone', async () => {
  const leaving = ['first', 'second', 'third', 'fourth'];
  const at: Record<string, string> = {};
  for (const id of leaving) {
    const folder = await running.folder({ 'notes.md': `# Heron\n\nThe heron of ${id} leaves.\n` });
    at[id] = folder;
    await running.client.request('POST', '/v1/projects', { id, folder });
    await running.client.call(id, 'index', {});
  }
  const client = await asToken('*');
  const ask = async () => {
    const answer = await client.call('*', 'search', { query: 'heron', top_k: 20 });
    return { projects: projectsOf(answer), warnings: (answer.result as Found).warnings };
  };
  expect((await ask()).projects).toEqual(expect.arrayContaining(leaving));
  const asking = Array.from({ length: 8 }, ask);
  await Promise.all([
    rm(at.first ?? '', { recursive: true }),
    rm(at.second ?? '', { recursive: true }),
    running.client.request('DELETE', '/v1/projects/third'),
    running.client.request('DELETE', '/v1/projects/fourth'),
  ]);
  for (const { projects } of await Promise.all(asking))
    expect(projects).toEqual(expect.arrayContaining(['api', 'secret', 'web']));
  const { projects, warnings } = await ask();
  for (const id of leaving) expect(projects).not.toContain(id);
  expect(projects).toEqual(expect.arrayContaining(['api', 'secret', 'web']));
  // Of what was registered and is not there it is said; what was forgotten is nobody's any more.
  const said = warnings.map(({ message }) => message).join('\n');
  for (const id of ['first', 'second']) expect(said).toContain(id);
  for (const id of ['third', 'fourth']) expect(said).not.toContain(id);
});
