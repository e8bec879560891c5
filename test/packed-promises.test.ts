import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../src/client/index.ts';
import { idOfFolder } from '../src/core/identity.ts';
import { type OpenServer, type PackedUser, packedUser } from './packed-user.ts';

const hashing = '[embedder]\ndriver = "hashing"\n';
const off = 'The project has `enabled = false`';
/** What a program does with the library: an index of its own, two calls side by side, and a project that is disabled. */
const program = `import { openProject } from 'quarry';
const apples = await openProject('apples');
for await (const event of apples.index()) if (event.error) throw event.error;
await apples.close();

const pears = await openProject('pears');
// To read brings the text up to date, without vectors; the search comes while that runs.
const reading = pears.read({ path: 'pears.md' });
const { pending, warnings } = await pears.search('dried fruit');
await reading;
await pears.close();

const off = await openProject('off');
const codes = [];
const note = ({ code, error }) => codes.push(code ?? error?.code);
for (const warning of (await off.search('text')).warnings) note(warning);
for await (const event of off.index()) if (event.error) note(event);
for await (const event of off.watch()) if (event.error) note(event);
await off.manifest().catch(note);
try { for await (const _ of off.verify()); } catch (error) { note(error); }
console.log(JSON.stringify({ pending, warnings, codes }));`;

let user: PackedUser;
/** A user's folder with all projects of these tests. */
let root: string;
let outcome: { pending: number; warnings: unknown[]; codes: string[] };
let server: OpenServer;

const quarry = (folder: string, ...words: string[]) => user.quarry(folder, ...words);

beforeAll(async () => {
  user = await packedUser({
    'use.mjs': program,
    'apples/quarry.toml': hashing,
    'apples/apples.md': '# Apples\n\nApples are stored in the cellar.\n',
    'pears/quarry.toml': hashing,
    'pears/pears.md': '# Pears\n\nPears are dried in the oven.\n',
    'off/quarry.toml': 'enabled = false\n',
    'off/a.md': '# A\n\nA text.\n',
    'a/x/api/heron.md': '# Heron\n\nThe heron waits in the reeds.\n',
    'b/x/api/otter.md': '# Otter\n\nThe otter sleeps in the bank.\n',
  });
  ({ root } = user);
  const [{ stdout }, started] = await Promise.all([
    promisify(execFile)(process.execPath, ['use.mjs'], { cwd: root, env: user.environment }),
    user.serve('off'),
  ]);
  outcome = JSON.parse(stdout);
  server = started;
});
afterAll(() => server?.end());

test('config set and --unset change the lines of their key alone, byte for byte', async () => {
  // The first comment names the setting that goes, and a header stands in a comment below the table that gets one.
  const comments = Array.from({ length: 11 }, (_, line) => `#   gitignore, line ${line}\r\n`).join('');
  const above = `# Of the team\r\n\r\n[index] # what is read\r\n${comments}`;
  const exclude = 'exclude = ["a/**"]   # one\r\n';
  const below = '\r\n# [search]\r\n# top_k = 5\r\n';
  const file = join(root, 'pears', 'quarry.toml');
  await writeFile(file, `${above}gitignore = false\r\n${exclude}${below}`);
  const words = ['set', 'search.top_k=7', 'index.file_seconds=20', '--unset', 'index.gitignore'];
  const { code, stderr } = await quarry('pears', 'config', ...words);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  const after = `${above}${exclude}file_seconds = 20\r\n${below}\r\n[search]\r\ntop_k = 7\r\n`;
  expect(await readFile(file, 'utf8')).toBe(after);
});

test('an index that was made here answers when quarry.toml names a server that nobody has agreed to, and says which', async () => {
  const address = 'https://api.example.com';
  const settings = `[embedder]\ndriver = "openai"\nurl = "${address}/v1"\nmodel = "text-embedding-3-small"\n`;
  await writeFile(join(root, 'apples', 'quarry.toml'), settings);
  const answers = [['search'], ['context', '--threshold', '0'], ['ask']].map(([name = '', ...flags]) =>
    quarry('apples', name, 'apples', ...flags),
  );
  for (const { code, stdout, stderr } of await Promise.all(answers))
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining('apples.md'),
      expect.stringContaining(`quarry consent give ${address}`),
    ]);
});

test('a project that is disabled says so: to a program, on the command line and over HTTP', async () => {
  expect(outcome.codes).toEqual(Array(5).fill('project-disabled'));
  const [verify, manifest, watch] = await Promise.all(
    ['verify', 'manifest', 'watch'].map((name) => quarry('off', name)),
  );
  for (const each of [verify, manifest, watch])
    expect(each).toMatchObject({ stdout: '', stderr: expect.stringMatching(/is disabled.*enabled = true/s) });
  expect([verify?.code, manifest?.code, watch?.code]).toEqual([3, 3, 0]);
  const client = connect(server.url);
  const id = idOfFolder(join(root, 'off'));
  await expect(client.call(id, 'manifest', {})).rejects.toMatchObject({ code: 'project-disabled' });
  expect(await client.call(id, 'search', { query: 'text' })).toMatchObject({
    result: { warnings: [{ code: 'project-disabled' }] },
  });
});

test('a search that comes while the text alone is read gets its vectors', () => {
  expect(outcome).toMatchObject({ pending: 0, warnings: [] });
});

test('over MCP with a server a call means the open folder, and a second one of its name is another project there', async () => {
  const folders = ['a/x/api', 'b/x/api'].map((folder) => join(root, folder));
  const open = folders.slice(0, 1);
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: { roots: { listChanged: true } } },
  );
  client.setRequestHandler('roots/list', async () => ({
    roots: open.map((folder) => ({ uri: pathToFileURL(folder).href })),
  }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [user.packed.program, 'mcp', '--server', server.url],
      cwd: root,
      env: Object.fromEntries(
        Object.entries(user.environment).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
      stderr: 'ignore',
    }),
  );
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: input });
    return (structuredContent ?? content) as Record<string, never>;
  };
  // The server has others, which a call without a name does not mean.
  expect.soft(await call('index_workspace')).toMatchObject({ state: 'done' });
  const search = { query: 'Who waits in the reeds?' };
  expect.soft(await call('search', search)).toMatchObject({ passages: [{ path: 'heron.md' }] });

  open.push(...folders.slice(1));
  await client.sendRootsListChanged();
  const projects = async () => (await call('list_projects')).projects as unknown as { name: string }[];
  await expect.poll(projects).toContainEqual({ name: 'b-x-api', folder: folders[1] });
  expect(await projects()).toContainEqual({ name: 'api', folder: folders[0] });
  expect(await call('index_workspace', { project: 'b-x-api' })).toMatchObject({ state: 'done' });
  const found = async (project: string) =>
    (
      (await call('search', { query: 'heron or otter', project, max_tokens: 500 })).passages as unknown as {
        path: string;
      }[]
    ).map(({ path }) => path);
  expect([await found('api'), await found('b-x-api')]).toEqual([['heron.md'], ['otter.md']]);
  expect(await call('search', { query: 'text', project: idOfFolder(join(root, 'off')) })).toMatchObject({
    notes: expect.arrayContaining([expect.stringContaining(off)]),
  });
  await client.close();

  // The command line means the same by both: what was pushed under a name keeps it.
  const pushed = await Promise.all(
    ['a/x/api', 'b/x/api'].map((folder) => quarry(folder, 'push', '--server', server.url, '--json')),
  );
  expect(pushed.map(({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? ''))).toMatchObject([
    { project: 'api', changed: 0, removed: 0 },
    { project: 'b-x-api', changed: 0, removed: 0 },
  ]);
});
