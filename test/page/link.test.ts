import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readPageFiles } from '../../src/surfaces/http/routes/page-files.ts';
import { startQuarry } from '../quarry-process.ts';
import { ensureBuiltPage } from './browser.ts';

beforeAll(() => ensureBuiltPage());

/** All files with what is in them; rejects where one is renamed meanwhile, as the engine does with what it has written. */
async function filesBelow(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({
      name,
      written: await readFile(join(parentPath, name), 'latin1'),
    })),
  );
}

describe('quarry ui', () => {
  test('starts the engine and prints a link, whose key is exchanged for the token of the owner once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ui-'));
    await writeFile(join(folder, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
    await writeFile(join(folder, 'lake.md'), '# Lake\n\nThe heron waits in the reeds.\n');
    const env = { XDG_CACHE_HOME: join(folder, '.cache') };
    const run = (...words: string[]) => startQuarry(folder, words, env).finished;
    try {
      const { stdout, stderr, code } = await run('ui', '--print');
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      const [, address = '', key = '', to = ''] =
        /^(http:\/\/127\.0\.0\.1:\d+)\/#key=([\w-]{43})&to=(\S+)\n$/.exec(stdout) ?? [];
      expect(decodeURIComponent(to)).toMatch(/^\/folder-[0-9a-f]{16}\/search$/);
      expect(await (await fetch(address)).text()).toContain('<title>Quarry</title>');
      const exchange = () =>
        fetch(`${address}/v1/session`, { method: 'POST', body: JSON.stringify({ key }) });
      const { token } = (await (await exchange()).json()) as { token: string };
      expect((await exchange()).status).toBe(401);
      const engine = (bearer: string) =>
        fetch(`${address}/v1/engine`, { headers: { authorization: `Bearer ${bearer}` } });
      expect((await engine(token)).status).toBe(200);
      expect((await engine(key)).status).toBe(401);
      // Another user of the machine, who may reach the port as well, is told nothing.
      for (const path of ['/v1/engine', '/v1/projects', '/openapi.json'])
        expect((await fetch(address + path)).status).toBe(401);
      // Neither is in a log, nor in any other file of its user.
      for (const { name, written } of await vi.waitFor(() => filesBelow(folder)))
        for (const secret of [key, token]) expect(written.includes(secret), name).toBe(false);
    } finally {
      await run('stop');
    }
  });
});

test('quarry serve serves the page on its port', async () => {
  const server = await serve();
  const answer = await fetch(server.address);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await answer.text()).toContain('<title>Quarry</title>');
  await server.end();
});

/** A server of a user of its own, as it says that it has started. */
async function serve(...words: string[]) {
  const home = await mkdtemp(join(tmpdir(), 'serve-'));
  const { child, finished } = startQuarry(home, ['serve', '--port', '0', '--json', ...words], {
    XDG_CACHE_HOME: join(home, '.cache'),
  });
  let text = '';
  child.stdout?.on('data', (data) => {
    text += data;
  });
  const started = await vi.waitFor(() => JSON.parse(text.split('\n')[0] ?? ''), { timeout: 60_000 });
  const { addresses, ...facts } = started as { addresses: string[]; token?: string; open?: boolean };
  const end = async (): Promise<string> => {
    child.kill('SIGINT');
    await finished;
    return text;
  };
  return { home, address: addresses[1] ?? '', ...facts, end };
}

describe('quarry serve', () => {
  const projects = (address: string, token?: string) =>
    fetch(
      `${address}/v1/projects`,
      token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
    );

  test('tells once the token that callers need, which is in no file and ends with the server', async () => {
    const { home, address, token = '', open, end } = await serve();
    expect([token, open]).toEqual([expect.stringMatching(/^quarry_/), undefined]);
    expect((await projects(address)).status).toBe(401);
    expect((await projects(address, token)).status).toBe(200);
    for (const { name, written } of await vi.waitFor(() => filesBelow(home)))
      expect(written.includes(token), name).toBe(false);
    expect((await end()).split(token)).toHaveLength(2);
    const next = await serve();
    expect((await projects(next.address, token)).status).toBe(401);
    await next.end();
  });

  test('shows a person the token apart from the log, and warns of --open', async () => {
    const home = await mkdtemp(join(tmpdir(), 'serve-'));
    const run = async (...words: string[]) => {
      const { child, finished } = startQuarry(home, ['serve', '--port', '0', ...words]);
      let notes = '';
      child.stderr?.on('data', (data) => {
        notes += data;
        if (notes.includes('Ctrl-C')) child.kill('SIGINT');
      });
      return finished;
    };
    const closed = await run();
    expect(closed.stdout).toMatch(/^quarry_[\w-]+\n$/);
    expect(closed.stderr).not.toContain(closed.stdout.trim());
    const opened = await run('--open');
    expect([opened.stdout, opened.stderr]).toEqual([
      '',
      expect.stringContaining('Warning: with --open every user'),
    ]);
    const beyond = await startQuarry(home, ['serve', '--port', '0', '--open', '--host', '0.0.0.0']).finished;
    expect(beyond).toMatchObject({ code: 2, stderr: expect.stringContaining('loopback alone') });
  });

  test('needs no token with --open', async () => {
    const { address, token, open, end } = await serve('--open');
    expect([token, open, (await projects(address)).status]).toEqual([undefined, true, 200]);
    await end();
  });
});

test('the first load of the page is under 60 KB, and the package carries all of it', async () => {
  const files = await readPageFiles();
  const html = new TextDecoder().decode(files.get('/index.html')?.bytes);
  const named = [...html.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(named.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(0);
  const sizes = ['/index.html', ...named].map((path) => {
    const file = files.get(path);
    expect(file, path).toBeDefined();
    return gzipSync(file?.bytes ?? '').length;
  });
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  // What colours a text is loaded when there is one.
  const isColouring = (path: string) =>
    new TextDecoder().decode(files.get(path)?.bytes).includes('hljs-keyword');
  expect(named.filter(isColouring)).toEqual([]);
  expect([...files.keys()].filter(isColouring)).not.toEqual([]);
  expect(html).not.toMatch(/<style|<script>|style=|https?:/);
});
