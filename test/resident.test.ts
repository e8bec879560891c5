import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createClient } from '../src/client/client.ts';
import { socketTransport } from '../src/client/socket-transport.ts';
import { makeFolder } from '../src/platform/make-folder.ts';
import { tryLock } from '../src/platform/sqlite/writer-lock.ts';
import type { Finished } from './quarry-process.ts';
import { serve, user } from './resident-user.ts';
import { sample } from './samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

const files = {
  'lake.md': '# Lake\n\nThe heron waits in the reeds until a fish swims by.\n',
  'hill.md': '# Hill\n\nSheep graze on the slope above the village.\n',
  'src/lock.ts':
    '/** Takes the lock of a file. */\nexport function takeLock(path: string): void {\n  open(path);\n}\n',
};
/** Hashed vectors where the model is not what is promised. */
const quick = { 'quarry.toml': '[embedder]\ndriver = "hashing"\n' };

/** Files are read side by side, so that their events come in any order. */
const inAnyOrder = (text: string): string[] =>
  withoutTimes(text)
    .split('\n')
    .map((line) => line.trim())
    .sort();

/** What differs from run to run. */
const withoutTimes = (text: string): string =>
  text
    .replace(/"(seconds|total|embedding)": ?[\d.]+(e-\d+)?/g, '"$1"')
    .replace(/\d+\.\d s\b/g, 'seconds')
    // Only who answered may differ.
    .replace(/,\n {2}"engine": \{[^}]*\}/, '')
    .replace(/^engine .*$/m, 'engine')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?/g, 'time');

/** How many projects an engine has open; to ask by a command would open one. Undefined while it does not answer. */
const openIn = async (socket: string): Promise<number | undefined> => {
  const answer = await createClient(socketTransport(socket))
    .request('GET', '/v1/projects')
    .catch(() => undefined);
  return (answer as { projects: unknown[] } | undefined)?.projects.length;
};

// Each has a user of its own, and waits for processes most of the time: so they wait together.
describe.concurrent('the engine in the background', () => {
  test('waits for the place of one that is ending, and leaves it to one that answers', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await makeFolder(dirname(me.socket), 0o700);
    // An engine that has closed its socket and still puts its projects away.
    const ending = await tryLock(join(dirname(me.socket), 'lock'));
    const next = me.start(['serve', '--resident', '--json']);
    expect(await Promise.race([next.finished, setTimeout(2_000, 'waits')])).toBe('waits');
    expect(existsSync(me.socket)).toBe(false);
    ending?.release();
    await context.expect.poll(() => existsSync(me.socket)).toBe(true);
    const further = await me.run(['serve', '--resident', '--json']);
    expect(further.code).toBe(0);
    expect((await me.json(['status'])).engine).toMatchObject({ pid: expect.any(Number) });
  });

  test('that waits for the place of another one ends when it is told to, though the other is silent', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await makeFolder(dirname(me.socket), 0o700);
    const lock = await tryLock(join(dirname(me.socket), 'lock'));
    const silent = createServer().listen(me.socket);
    const asked = once(silent, 'connection');
    const { child, finished } = me.start(['serve', '--resident', '--json']);
    const [connection] = await asked;
    child.kill('SIGINT');
    await finished;
    connection.destroy();
    silent.close();
    lock?.release();
  });

  test('is started by a search that leaves vectors to make, makes them, and ends with `quarry stop`', async (context) => {
    const me = await user(context, files);
    const first = await me.json(['search', 'bird that catches fish']);
    expect(first.hits.length).toBeGreaterThan(0);
    expect(first.pending).toBeGreaterThan(0);
    await context.expect.poll(() => existsSync(me.socket)).toBe(true);
    await context.expect.poll(async () => (await me.json(['status'])).pending, { interval: 500 }).toBe(0);
    expect((await me.json(['search', 'bird that catches fish'])).hits[0].path).toBe('lake.md');
    const { engine } = await me.json(['status']);
    expect(engine).toMatchObject({ pid: expect.any(Number), open_projects: 1 });
    expect((await me.run(['status'])).stdout).toContain(`engine     process ${engine.pid}, up `);
    expect((await me.run(['stop'])).stdout).toContain('ends');
    await context.expect.poll(() => existsSync(me.socket)).toBe(false);
    expect((await me.run(['stop'])).stdout).toContain('No engine');
  });

  test('is said to be starting until it answers', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await makeFolder(dirname(me.socket), 0o700);
    // It starts when an engine that is ending lets go of its place.
    const ending = await tryLock(join(dirname(me.socket), 'lock'));
    await me.run(['search', 'heron']);
    const { engine, engine_starting } = await me.json(['status']);
    expect(engine).toBeUndefined();
    expect(engine_starting).toEqual({ pid: expect.any(Number) });
    const { pid } = engine_starting;
    // It would not wait for ever.
    process.kill(pid, 'SIGSTOP');
    expect((await me.run(['status'])).stdout).toContain(`engine     starting, process ${pid}: `);
    // It is not for a command with other variables or settings of its own.
    for (const [words, variables] of [
      [['status'], { QUARRY_SEARCH_TOP_K: '1' }],
      [['status', '--set', 'search.top_k=1'], {}],
    ] as const)
      expect((await me.run(words, variables)).stdout).toContain('engine     none for this command');
    ending?.release();
    process.kill(pid, 'SIGCONT');
    await context.expect.poll(async () => (await me.json(['status'])).engine?.pid).toBe(pid);
    await me.run(['stop']);
    await context.expect.poll(() => existsSync(me.socket)).toBe(false);
    expect((await me.run(['status'])).stdout).toContain('engine     none for this command');
  });

  test('that was started and does not answer yet is ended by `quarry stop` too', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await makeFolder(dirname(me.socket), 0o700);
    const ending = await tryLock(join(dirname(me.socket), 'lock'));
    await me.run(['search', 'heron']);
    const stopping = me.start(['stop']);
    expect(await Promise.race([stopping.finished, setTimeout(2_000, 'waits')])).toBe('waits');
    ending?.release();
    expect((await stopping.finished).stdout).toContain('ends');
    await context.expect.poll(() => existsSync(me.socket)).toBe(false);
  });

  test('has a log that only its user can read, though nothing was there before', async (context) => {
    const me = await user(context, { ...files, ...quick });
    // Without the cache of compiled code, which would make the folder first.
    const elsewhere = { NODE_COMPILE_CACHE: await mkdtemp(join(tmpdir(), 'compiled-')) };
    expect((await me.run(['ui', '--print'], elsewhere)).code).toBe(0);
    const folder = dirname(me.socket);
    const permissions = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await permissions(join(folder, 'log'))).toBe(0o600);
    expect(await permissions(folder)).toBe(0o700);
  });

  test('is never started in CI, nor where the settings say never', async (context) => {
    const me = await user(context, files);
    await me.run(['search', 'heron'], { CI: 'true' });
    await writeFile(
      join(me.folder, 'quarry.toml'),
      '[resident]\nmode = "never"\n[index]\nsearch_seconds = 0\n',
    );
    await me.run(['search', 'sheep']);
    expect(existsSync(dirname(me.socket))).toBe(false);
  });

  test('gives the same output and exit codes as a process of its own', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await me.run(['index'], { CI: 'true' });
    const commands = sample(5, [
      ['search', 'heron in the reeds'],
      ['search', 'takeLock', '--json', '--explain'],
      ['search', ''],
      ['search', 'heron', '--top-k', '0'],
      ['search', 'heron', '--since', 'nonsense'],
      ['context', '--for', 'memory', 'heron in the reeds', '--no-fence', '--threshold', '0'],
      ['context', '--for', 'memory', '--subject', 'Heron', '--body', 'It waits.', '--no-fence', '--json'],
      ['context'],
      ['overview'],
      ['status'],
      ['status', '--json'],
      ['index', '--full', '--json'],
      ['verify'],
      ['config', 'show', 'search.top_k'],
      ['clean', '--all'],
    ]);
    const alone: Finished[] = [];
    for (const words of commands) alone.push(await me.run(words, { QUARRY_RESIDENT_MODE: 'never' }));
    // The last one may have taken the index away.
    await me.run(['index'], { CI: 'true' });
    await serve(me);
    for (const [index, words] of commands.entries()) {
      const through = await me.run(words);
      expect({
        words,
        code: through.code,
        stdout: inAnyOrder(through.stdout),
        stderr: withoutTimes(through.stderr),
      }).toEqual({
        words,
        code: alone[index]?.code,
        stdout: inAnyOrder(alone[index]?.stdout ?? ''),
        stderr: withoutTimes(alone[index]?.stderr ?? ''),
      });
    }
  });

  test('is one, however many are started at once', async (context) => {
    const me = await user(context, { ...files, ...quick });
    const started = Array.from({ length: 4 }, () => me.start(['serve', '--resident', '--json']));
    // All but one find it running: one that came after its end would take its place.
    let over = 0;
    for (const { finished } of started) void finished.then(() => (over += 1));
    await context.expect.poll(() => over).toBe(3);
    await me.run(['stop']);
    const ended = await Promise.all(started.map(({ finished }) => finished));
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(ended.filter(({ stdout }) => stdout.includes('server-started'))).toHaveLength(1);
  });

  test('leaves nothing behind that hurts when it is killed', async (context) => {
    const me = await user(context, { ...files, ...quick });
    const { child, finished } = await serve(me);
    child.kill('SIGKILL');
    await finished;
    expect(existsSync(me.socket)).toBe(true);
    expect((await me.json(['search', 'heron'], { CI: 'true' })).hits[0].path).toBe('lake.md');
    const next = me.start(['serve', '--json']);
    await context.expect.poll(() => me.run(['stop']).then(({ stdout }) => stdout)).toContain('ends');
    expect((await next.finished).code).toBe(0);
  });

  test('makes way for a server that its user starts, which has the project it is started in and stays', async (context) => {
    const me = await user(context, { ...files, ...quick });
    const background = me.start(['serve', '--resident', '--json']);
    await context.expect.poll(() => existsSync(me.socket)).toBe(true);
    const own = me.start(['serve', '--json']);
    expect((await background.finished).code).toBe(0);
    await context.expect.poll(() => openIn(me.socket)).toBe(1);
    const engine = () => me.json(['status', '--no-compare']).then((status) => status.engine);
    await context.expect.poll(engine).toMatchObject({ pid: own.child.pid });
    const further = await me.run(['serve']);
    expect(further).toMatchObject({ code: 2, stderr: expect.stringContaining('that you started') });
    expect(await engine()).toMatchObject({ pid: own.child.pid });
  });

  test('has no project but those of the file that names them', async (context) => {
    const me = await user(context, { ...files, ...quick, 'team.yaml': 'projects: {}\n' });
    me.start(['serve', '--json', '--projects', 'team.yaml']);
    await context.expect.poll(() => openIn(me.socket)).toBe(0);
  });

  test('starts for others where the settings beside it cannot be used, and says so', async (context) => {
    const me = await user(context, { ...files, 'quarry.toml': '[search]\ntop_k = "many"\n' });
    const server = me.start(['serve', '--json']);
    await context.expect.poll(() => existsSync(me.socket)).toBe(true);
    expect(await openIn(me.socket)).toBe(0);
    server.child.kill('SIGTERM');
    expect((await server.finished).stderr).toContain('This project is not opened: search.top_k is "many"');
  });

  test('answers only commands with its own variables; others answer for themselves', async (context) => {
    const me = await user(context, { ...files, ...quick });
    // A first search answers from a part of the folder.
    await me.run(['index'], { CI: 'true' });
    await serve(me);
    expect((await me.json(['search', 'heron sheep lock'])).hits.length).toBeGreaterThan(1);
    const own = await me.json(['search', 'heron sheep lock'], { QUARRY_SEARCH_TOP_K: '1' });
    expect(own.hits).toHaveLength(1);
    expect((await me.json(['search', 'heron sheep lock', '--set', 'search.top_k=1'])).hits).toHaveLength(1);
  });

  test('follows changed settings without a restart', async (context) => {
    const me = await user(context, { ...files, ...quick });
    // A first search answers from a part of the folder.
    await me.run(['index'], { CI: 'true' });
    await serve(me);
    await me.json(['search', 'heron sheep lock']);
    await writeFile(join(me.folder, 'quarry.toml'), `${quick['quarry.toml']}[search]\ntop_k = 1\n`);
    expect((await me.json(['search', 'heron sheep lock'])).hits).toHaveLength(1);
  });

  test('stops the work of a command that is interrupted', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await serve(me);
    const { child, finished } = me.start(['watch', '--json']);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    expect((await finished).code).toBe(0);
    await context.expect.poll(() => me.run(['search', 'heron']).then(({ code }) => code)).toBe(0);
    // And until then it passes on why a pass failed.
    const [hostile, outside] = [await temporaryFolder(), await temporaryFolder()];
    await symlink(outside, join(hostile, '.quarry'));
    const failing = me.start(['watch', '--json', '--project', hostile]);
    let printed = '';
    failing.child.stdout?.on('data', (data) => {
      printed += data;
    });
    await context.expect.poll(() => printed).toMatch(/"(pass-failed|error)"/);
    expect(printed).toContain('{"type":"pass-failed","pass":1,"error":{"code":"path-unsafe"');
    failing.child.kill('SIGINT');
    expect((await failing.finished).code).toBe(0);
  });

  test('leaves it to a watch to print each change once, whoever indexes it, and Ctrl-C is its end', async (context) => {
    const me = await user(context, { ...files, ...quick });
    await me.run(['index'], { CI: 'true' });
    await serve(me);
    const { child, finished } = me.start(['watch']);
    let printed = '';
    child.stderr?.on('data', (data) => {
      printed += data;
    });
    await context.expect.poll(() => printed).toContain('Up to date');
    const names = Array.from({ length: 5 }, (_, number) => `new-${number}.md`);
    for (const [number, name] of names.entries()) {
      await writeFile(join(me.folder, name), `# Note ${number}\n`);
      // The engine's own watch and this search index it too, and all three want to be first.
      await me.run(['search', `note ${number}`]);
      await context.expect.poll(() => printed).toContain(`  ${name} (`);
    }
    await rm(join(me.folder, 'hill.md'));
    await me.run(['search', 'sheep']);
    await context.expect.poll(() => printed).toContain('  hill.md deleted (');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await finished;
    expect(stderr.match(/new-\d\.md|hill\.md/g)).toEqual([...names, 'hill.md']);
    expect(stdout).toMatch(/^Stopped after \d+ passes: 5 indexed, 1 deleted\.\n$/);
    expect(code).toBe(0);
  });
});
