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
      expect((await fetch(`${address}/v1/engine`)).status).toBe(403);
      // Neither is in a log, nor in any other file of its user.
      for (const { name, written } of await vi.waitFor(() => filesBelow(folder)))
        for (const secret of [key, token]) expect(written.includes(secret), name).toBe(false);
    } finally {
      await run('stop');
    }
  });
});

test('quarry serve serves the page on its port, to a reader of this machine', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'serve-'));
  const { child, finished } = startQuarry(folder, ['serve', '--port', '0', '--json'], {
    XDG_CACHE_HOME: join(folder, '.cache'),
  });
  let lines = '';
  child.stdout?.on('data', (data) => {
    lines += data;
  });
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(lines)?.[0];
  await expect.poll(address).toBeDefined();
  const answer = await fetch(address() ?? '');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await answer.text()).toContain('<title>Quarry</title>');
  child.kill('SIGINT');
  await finished;
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
