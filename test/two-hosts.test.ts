import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { testedProgram } from './quarry-process.ts';

// Two hosts with a cable between them: each is a network namespace of Linux, with its own addresses and routes.
const name = `q${process.pid % 100_000}`;
const [client, server] = [`${name}c`, `${name}s`];
const serverAddress = '10.211.77.1';
const ip = (...words: string[]) => execFileSync('ip', words, { stdio: 'pipe' });

/** Why there cannot be two hosts here. */
function obstacle(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces are of Linux';
  try {
    for (const host of [client, server]) ip('netns', 'add', host);
    return undefined;
  } catch (thrown) {
    const { code, stderr = '' } = thrown as { code?: string; stderr?: string };
    return code === 'ENOENT'
      ? 'the program "ip" is missing (iproute2)'
      : `ip netns: ${String(stderr).trim()}`;
  }
}
const why = obstacle();

afterAll(() => {
  for (const host of why === undefined ? [client, server] : []) ip('netns', 'delete', host);
});

/** Starts the command line on one of the hosts. */
function quarryOn(host: string, home: string, words: readonly string[], env: Record<string, string> = {}) {
  return spawn('ip', ['netns', 'exec', host, process.execPath, testedProgram, ...words], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, CI: 'true', ...env },
  });
}

async function textOf(child: ReturnType<typeof quarryOn>): Promise<string> {
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
  });
  await once(child, 'close');
  return text;
}

test.skipIf(why !== undefined)(
  `a cable that is cut in the midst of a push costs only time${why === undefined ? '' : ` (not run: ${why})`}`,
  async () => {
    ip(
      'link',
      'add',
      `${name}0`,
      'netns',
      client,
      'type',
      'veth',
      'peer',
      'name',
      `${name}1`,
      'netns',
      server,
    );
    ip('-n', server, 'address', 'add', `${serverAddress}/24`, 'dev', `${name}1`);
    ip('-n', client, 'address', 'add', '10.211.77.2/24', 'dev', `${name}0`);
    for (const [host, device] of [
      [client, `${name}0`],
      [server, `${name}1`],
    ] as const) {
      ip('-n', host, 'link', 'set', device, 'up');
      ip('-n', host, 'link', 'set', 'lo', 'up');
    }
    // Slow enough to be cut in the midst, where the kernel can do that.
    const slow = ['tbf', 'rate', '80mbit', 'burst', '256kb', 'latency', '200ms'];
    try {
      ip('netns', 'exec', client, 'tc', 'qdisc', 'add', 'dev', `${name}0`, 'root', ...slow);
    } catch {
      // A cable at full speed is cut in time on most machines too.
    }
    const cable = (state: 'up' | 'down') => ip('-n', client, 'link', 'set', `${name}0`, state);

    const serverHome = await mkdtemp(join(tmpdir(), 'host-server-'));
    const received = join(serverHome, '.local', 'share', 'quarry', 'projects', 'notes');
    await mkdir(received, { recursive: true });
    // All files are received; the small one is indexed.
    await writeFile(
      join(received, 'quarry.toml'),
      '[embedder]\ndriver = "hashing"\n[index]\nmax_file_bytes = 1000\n',
    );
    const words = ['token', 'create', 'laptop', '--for-project', 'notes', '--write', '--json'];
    const { token } = JSON.parse(await textOf(quarryOn(server, serverHome, words))) as { token: string };
    const serving = quarryOn(server, serverHome, ['serve', '--port', '8001', '--host', serverAddress]);
    await once(createInterface(serving.stderr), 'line');

    const home = await mkdtemp(join(tmpdir(), 'host-client-'));
    const folder = join(home, 'notes');
    await mkdir(folder);
    await writeFile(join(folder, 'lake.md'), '# Lake\n\nThe heron waits in the reeds.\n');
    for (let file = 0; file < 250; file += 1)
      await writeFile(
        join(folder, `${file}.txt`),
        randomBytes(30_000)
          .toString('hex')
          .replace(/(.{6})/g, '$1\n'),
      );
    const env = { QUARRY_TOKEN: token, QUARRY_SERVER: `http://${serverAddress}:8001` };
    const push = quarryOn(client, folder, ['push', '--json', '--no-gzip'], env);
    const events: { type: string; files?: number; sent_files?: number; removed?: number }[] = [];
    for await (const line of createInterface(push.stdout)) {
      const event = JSON.parse(line) as (typeof events)[number];
      events.push(event);
      const isFirst = events.filter(({ type }) => type === event.type).length === 1;
      if (event.type === 'files-sent' && isFirst) cable('down');
      if (event.type === 'push-interrupted' && isFirst) cable('up');
    }
    expect(events.map(({ type }) => type)).toContain('push-interrupted');
    const result = events.at(-1);
    expect(result).toMatchObject({ type: 'result', files: 251, removed: 0 });
    // What had arrived before the cut did not travel again.
    expect(result?.sent_files).toBeGreaterThan(0);
    expect(result?.sent_files).toBeLessThan(251);

    const search = ['search', 'heron in the reeds', '--json'];
    const found = JSON.parse(await textOf(quarryOn(client, folder, search, env))) as {
      hits?: { path: string }[];
    };
    expect(found.hits?.[0], JSON.stringify(found)).toMatchObject({ path: 'lake.md' });
    // Without the token nobody is served, though the cable is whole.
    const refused = quarryOn(client, folder, search, { ...env, QUARRY_TOKEN: '' });
    await textOf(refused);
    expect(refused.exitCode).toBe(9);
    serving.kill('SIGINT');
    await once(serving, 'close');
  },
);
