import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../src/client/index.ts';
import { createLaptop } from '../src/surfaces/http/file-agent/file-agent.fixture.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { startQuarry } from './quarry-process.ts';

/** Text that no two files share, in short words: each long one is looked at as if it were a key. */
function lines(bytes: number): string {
  const words =
    randomBytes(Math.ceil(bytes / 2))
      .toString('hex')
      .match(/.{1,6}/g) ?? [];
  return `${words.join('\n').slice(0, bytes)}\n`;
}

/** Files that take a while to send; the server receives all of them and indexes only the small one. */
function bulk(files: number, bytes: number): Record<string, string> {
  const names = Array.from({ length: files }, (_, at) => [`bulk/${at}.txt`, lines(bytes)] as const);
  return { 'lake.md': '# Lake\n\nThe heron waits.\n', ...Object.fromEntries(names) };
}
const onlySmallFiles = '[embedder]\ndriver = "hashing"\n[index]\nmax_file_bytes = 1000\n';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a server that is killed in the midst of a push, and started again, is sent only the rest', async () => {
  const home = await mkdtemp(join(tmpdir(), 'killed-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const data = join(home, 'data');
  const folder = join(data, 'projects', 'notes');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'quarry.toml'), onlySmallFiles);
  const serve = async () => {
    const { child } = startQuarry(home, ['serve', '--port', String(port), '--open'], {
      QUARRY_DATA_FOLDER: data,
    });
    await expect
      .poll(
        () =>
          fetch(`${url}/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    return child;
  };
  let server = await serve();
  const laptop = await createLaptop(home, bulk(180, 60_000));
  let restarted: Promise<unknown> | undefined;
  const sent = await laptop.push(url, {
    onEvent(event) {
      if (event.type !== 'files-sent' || restarted) return;
      server.kill('SIGKILL');
      restarted = serve().then((next) => {
        server = next;
      });
    },
  });
  expect(sent.events.some(({ type }) => type === 'push-interrupted')).toBe(true);
  expect(sent.stats.files).toBe(181);
  // What was acknowledged before the kill did not travel again.
  expect(sent.stats.received_files).toBeLessThan(181);
  const { result } = await connect(url).call('notes', 'search', { query: 'heron' });
  expect(JSON.stringify(result)).toContain('lake.md');
  server.kill('SIGKILL');
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
test.skipIf(!canMount)(
  'a disk that is full on the server is told; with space again the push continues (needs root, for a small disk)',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'full-'));
    const disk = join(home, 'disk');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk]);
    const variables: Record<string, string> = { HOME: disk };
    const running = await startTestServer({ environment: (name) => variables[name] });
    try {
      const folder = await running.receiver('notes');
      await writeFile(join(folder, 'quarry.toml'), onlySmallFiles);
      const laptop = await createLaptop(running.home, bulk(200, 100_000));
      await expect(laptop.push(running.url)).rejects.toMatchObject({ code: 'machine-failed' });
      expect(await connect(running.url).request('GET', '/health')).toMatchObject({ status: 'ok' });
      execFileSync('mount', ['-o', 'remount,size=200m', disk]);
      const { stats } = await laptop.push(running.url);
      expect(stats.files).toBe(201);
      expect(stats.received_files).toBeLessThan(201);
    } finally {
      await running.server.end();
      execFileSync('umount', ['-l', disk]);
    }
  },
);

test('fifty clients at once are all served, those of one project one after another', async () => {
  const running = await startTestServer();
  const projects = Array.from({ length: 10 }, (_, at) => `team-${at}`);
  for (const project of projects) await running.receiver(project);
  const pushes = Array.from({ length: 50 }, async (_, at) => {
    const laptop = await createLaptop(running.home, {
      'shared.md': '# Shared\n\nThe same everywhere.\n',
      [`own-${at}.md`]: `# Own\n\nOf client ${at}.\n`,
    });
    return laptop.push(running.url, { project: projects[at % 10] as string });
  });
  const all = await Promise.all(pushes);
  expect(all.map(({ stats }) => stats.files)).toEqual(Array(50).fill(2));
  expect(
    all.filter(({ events }) => events.some(({ type }) => type === 'push-waiting')).length,
  ).toBeGreaterThan(9);
  const { result } = await running.client.call('team-3', 'status', {});
  expect(result).toMatchObject({ documents: 2 });
  await running.server.end();
});
