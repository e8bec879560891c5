import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, type TestContext, test, vi } from 'vitest';
import { createClient } from '../src/client/client.ts';
import { frameMediaType } from '../src/client/frames.ts';
import { socketTransport } from '../src/client/socket-transport.ts';
import { makeFolder } from '../src/platform/make-folder.ts';
import { waitForLock } from '../src/platform/sqlite/writer-lock.ts';
import { serve, type User, user } from './resident-user.ts';
import { sample } from './samples.ts';

const files = {
  'lake.md': '# Lake\n\nThe heron waits in the reeds until a fish swims by.\n',
  'quarry.toml': '[embedder]\ndriver = "hashing"\n',
};

/** Resolves when a call uses a project of the engine. */
async function workBegins({ socket }: User): Promise<void> {
  const client = createClient(socketTransport(socket));
  const users = async (): Promise<number> => {
    const { projects } = (await client.request('GET', '/v1/engine')) as { projects: { users: number }[] };
    return projects.reduce((sum, project) => sum + project.users, 0);
  };
  await vi.waitFor(async () => expect(await users()).toBeGreaterThan(0), { timeout: 60_000, interval: 20 });
}

// Most of their time they wait for an engine that says nothing: so they wait together.
describe.concurrent('an engine that is paused', () => {
  test('holds up no command: it works in its own process, and says so', async (context) => {
    const me = await user(context, files);
    const { child } = await serve(me);
    // A first search answers from a part of the folder.
    await me.run(['index']);
    child.kill('SIGSTOP');
    const { code, stdout, stderr } = await me.run(['search', 'heron']);
    expect(code).toBe(0);
    expect(stdout).toContain('lake.md');
    expect(stderr).toContain('does not answer; quarry stop ends it. This command works in its own process.');
    child.kill('SIGCONT');
  });

  test('does nothing later that the command has done in its stead', async (context) => {
    const me = await user(context, files);
    const { child } = await serve(me);
    child.kill('SIGSTOP');
    const { code, stderr } = await me.run(['token', 'create', 'laptop']);
    expect(stderr).toContain('This command works in its own process.');
    expect(code).toBe(0);
    child.kill('SIGCONT');
    expect((await me.json(['status'])).engine).toMatchObject({ pid: child.pid });
    expect((await me.json(['token', 'list'])).tokens).toHaveLength(1);
  });

  test('is ended by `quarry stop`, and another one takes its place', async (context) => {
    const me = await user(context, files);
    const { child, finished } = await serve(me);
    child.kill('SIGSTOP');
    expect(await me.run(['stop'])).toMatchObject({ code: 0, stdout: expect.stringContaining('was ended') });
    await finished;
    const next = await serve(me);
    await context.expect.poll(async () => (await me.json(['status'])).engine?.pid).toBe(next.child.pid);
  });
});

test.concurrent('an engine that is blocked is ended by `quarry stop`, though it hears no signal', async (context) => {
  const me = await user(context, files);
  const script = join(me.home, 'block.mjs');
  await writeFile(script, "process.on('SIGUSR2', () => { for (;;); });\n");
  const { child, finished } = await serve(me, { NODE_OPTIONS: `--import=${script}` });
  child.kill('SIGUSR2');
  expect(await me.json(['stop'])).toEqual({ stopped: true, forced: true });
  await finished;
  expect(child.signalCode).toBe('SIGKILL');
});

test.concurrent('`quarry stop` ends no other process that has the number of an engine by now', async (context) => {
  const me = await user(context, files);
  const folder = dirname(me.socket);
  const { child, finished } = await serve(me);
  const note = await readFile(join(folder, 'process'), 'utf8');
  child.kill('SIGKILL');
  await finished;
  const bystander = me.start(['watch', '--json'], { QUARRY_RESIDENT_MODE: 'never' });
  await once(bystander.child.stdout ?? bystander.child, 'data');
  await rm(me.socket);
  const silent = createSocketServer().listen(me.socket);
  context.onTestFinished(() => void silent.close());
  await writeFile(join(folder, 'process'), note.replace(/^\d+/, String(bystander.child.pid)));
  const { code, stderr } = await me.run(['stop']);
  expect(code).toBe(9);
  expect(stderr).toContain('it is not known which process that is');
  expect(bystander.child.exitCode).toBeNull();
  bystander.child.kill('SIGINT');
  await bystander.finished;
});

/** Embeds for nobody until it is told to. */
async function heldEmbedder({ onTestFinished }: TestContext) {
  let isHeld = true;
  const held: ServerResponse[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (isHeld) return void held.push(response);
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] };
    const data = input.map((_, index) => ({ index, embedding: [1, 0, 0, 0] }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  };
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    held,
    variables: {
      QUARRY_EMBEDDER_DRIVER: 'openai',
      QUARRY_EMBEDDER_URL: `http://127.0.0.1:${port}/v1`,
      QUARRY_EMBEDDER_MODEL: 'held',
    },
    release() {
      isHeld = false;
    },
  };
}

describe.concurrent('an engine that is killed', () => {
  test('in the midst of a search leaves it to the command, which says so', async (context) => {
    const me = await user(context, { 'lake.md': files['lake.md'] });
    const embedder = await heldEmbedder(context);
    const { child } = await serve(me, embedder.variables);
    const search = me.start(['search', 'heron in the reeds'], embedder.variables);
    await workBegins(me);
    embedder.release();
    child.kill('SIGKILL');
    const { code, stdout, stderr } = await search.finished;
    expect(stderr).toContain('stopped answering during this. This command works in its own process.');
    expect(stdout).toContain('lake.md');
    expect(code).toBe(0);
  });

  test('in the midst of what writes has it done once at most, and the command says what is not known', async (context) => {
    const me = await user(context, files);
    const { child } = await serve(me);
    const config = join(me.home, '.config', 'quarry');
    await makeFolder(config);
    const lock = await waitForLock(join(config, 'tokens.json.lock'));
    const create = me.start(['token', 'create', 'laptop']);
    await workBegins(me);
    child.kill('SIGKILL');
    lock.release();
    const { code, stderr, stdout } = await create.finished;
    expect(stdout).toBe('');
    expect(stderr).toContain('during "token create": it may have been done, or not');
    expect(stderr).toContain('Check whether it was done (quarry token list) before you run it again.');
    expect(code).toBe(9);
    expect((await me.json(['token', 'list'])).tokens).toEqual([]);
  });
});

/** Takes requests in the place of an engine, and answers nothing but these frames; then the connection breaks. */
async function breakingEngine(
  { onTestFinished }: TestContext,
  { socket }: User,
  frames: readonly object[] = [],
) {
  await makeFolder(dirname(socket), 0o700);
  const taken: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    taken.push(response);
    if (frames.length === 0) return void response.destroy();
    response.writeHead(200, { 'content-type': frameMediaType });
    response.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  }).listen(socket);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return taken;
}

describe.concurrent('a connection that breaks after the request was taken', () => {
  const broken: [string[], number, string][] = [
    [['index'], 0, 'This command works in its own process.'],
    [['search', 'heron'], 0, 'This command works in its own process.'],
    [['config', 'set', 'search.top_k=3'], 9, '(quarry config show)'],
    [['clean', '--all', '--yes'], 9, 'and was not done again'],
    [['consent', 'give', 'https://a.test'], 9, '(quarry consent list)'],
  ];
  test.for(sample(2, broken))('%j ends with %i and says %j', async ([words, code, said], context) => {
    const me = await user(context, files);
    const taken = await breakingEngine(context, me);
    const finished = await me.run(words);
    expect(taken).toHaveLength(1);
    expect(finished.stderr).toContain(said);
    expect(finished.code).toBe(code);
  });

  test('ends a command that has printed a part of its result', async (context) => {
    const me = await user(context, files);
    const taken = await breakingEngine(context, me, [{ event: { type: 'scan-start' } }]);
    const { child, finished } = me.start(['index', '--json']);
    child.stdout?.once('data', () => taken[0]?.destroy());
    const { code, stdout, stderr } = await finished;
    // A sign of life is a space.
    expect(stdout.split('\n').map((line) => line.trim())).toEqual([
      '{"type":"scan-start"}',
      expect.stringContaining('answer-lost'),
      '',
    ]);
    expect(stderr).toContain('during "index"');
    expect(code).toBe(9);
  });
});

describe.concurrent('a folder that is no project', () => {
  test('is named by the same error, whether an engine runs or not', async (context) => {
    const me = await user(context, files);
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'file'), '');
    await mkdir(join(outside, 'locked'));
    await chmod(join(outside, 'locked'), 0);
    const names = sample(2, ['missing', 'file', 'file/below', 'locked/below']);
    const folders = names.map((name) => join(outside, name));
    const commands = [
      ...folders.map((folder) => ['search', 'heron', '--project', folder]),
      ...folders.map((folder) => ['ui', folder, '--print']),
    ];
    const alone = await Promise.all(commands.map((words) => me.run(words)));
    expect(existsSync(me.socket)).toBe(false);
    await serve(me);
    for (const [index, words] of commands.entries()) {
      const through = await me.run(words);
      expect(through).toEqual(alone[index]);
      expect(through).toMatchObject({ code: 3, stderr: expect.stringContaining('(project-not-found)') });
    }
  });
});
