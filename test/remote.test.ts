import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { callQuarry } from './quarry-call.ts';
import { startQuarry } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

let running: Awaited<ReturnType<typeof startTestServer>>;
let folder: string;
beforeAll(async () => {
  running = await startTestServer();
  await running.receiver('handbook');
  folder = join(await mkdtemp(join(running.home, 'laptop-')), 'handbook');
  await mkdir(folder);
  await writeFile(join(folder, 'expenses.md'), '# Expenses\n\nThe treasurer approves an expense.\n');
});
afterAll(() => running.server.end());

const quarry = (words: readonly string[], env: Record<string, string> = {}) => callQuarry(folder, words, env);

test('push sends a folder to a server, and other commands then ask that server', async () => {
  const pushed = await quarry(['push', '--server', running.url]);
  expect(pushed).toMatchObject({ code: 0 });
  expect(pushed.stdout).toContain('1 added, 0 changed, 0 removed');
  const found = await quarry(['--server', running.url, 'search', 'who approves an expense?']);
  expect(found).toMatchObject({ code: 0 });
  expect(found.stdout).toContain('expenses.md');
  const status = await quarry(['status', '--json'], { QUARRY_SERVER: running.url });
  expect(JSON.parse(status.stdout)).toMatchObject({ documents: 1 });
  // The name that other retrieval services use means the same.
  const other = await quarry(['status', '--json', '--project', 'handbook'], {
    FRAG_SERVICE_URL: running.url,
  });
  expect(JSON.parse(other.stdout)).toMatchObject({ documents: 1 });
});

test('push --json prints its events and then the result', async () => {
  const { stdout, code } = await quarry(['push', '--json', '--name', 'handbook'], {
    QUARRY_SERVER: running.url,
  });
  expect(code).toBe(0);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string });
  expect(lines.map(({ type }) => type)).toContain('index-end');
  expect(lines.at(-1)).toMatchObject({ type: 'result', project: 'handbook', sent_files: 0 });
});

test('push --watch sends each change until it is stopped', async () => {
  const { child, finished } = startQuarry(folder, ['push', '--watch', '--server', running.url]);
  const seen = (text: string): Promise<void> =>
    new Promise((resolve) => {
      let all = '';
      child.stderr?.on('data', (data) => {
        all += data;
        if (all.includes(text)) resolve();
      });
    });
  await seen('Up to date');
  const noticed = seen('travel.md');
  await writeFile(join(folder, 'travel.md'), '# Travel\n\nBook trains early.\n');
  await noticed;
  child.kill('SIGINT');
  expect(await finished).toMatchObject({ code: 0 });
  const { result } = await running.client.call('handbook', 'status', {});
  expect(result).toMatchObject({ documents: 2 });
});

test('the agent sends a folder without the rest of the program', async () => {
  await running.receiver('by-agent');
  const program = fileURLToPath(new URL('../src/surfaces/agent/main.ts', import.meta.url));
  const words = [program, folder, '--name', 'by-agent', '--server', running.url];
  const env = { HOME: folder, PATH: process.env.PATH ?? '' };
  const { stdout } = await promisify(execFile)(process.execPath, words, { env });
  const { result } = await running.client.call('by-agent', 'status', {});
  expect(JSON.parse(stdout)).toMatchObject({
    files: (result as { documents: number }).documents,
    removed: 0,
  });
});

test('the agent sends the rest where nothing on its machine reads PDFs, and says which it left', async () => {
  await running.receiver('without-pdf');
  const own = await temporaryFolder({
    'a.pdf': '%PDF-1.4',
    'tea.md': '# Tea\n\nBrewed at eighty degrees.\n',
  });
  const program = fileURLToPath(new URL('../src/surfaces/agent/main.ts', import.meta.url));
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name.endsWith('/pdf.min.mjs')) throw new Error('none');
      return next(name, context);
    } });`;
  const words = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, program, own];
  const to = ['--name', 'without-pdf', '--server', running.url];
  const env = { HOME: own, PATH: process.env.PATH ?? '' };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...words, ...to], { env });
  expect(stderr).toContain('"a.pdf" was not sent: Reading PDF needs the package pdfjs-dist');
  expect(JSON.parse(stdout)).toMatchObject({ files: 1 });
});

test.each([
  [['push'], 2, /No server is named/],
  [['push', '--server', 'ftp://x'], 2, /--server is not an http/],
  [['push', '--server', 'http://127.0.0.1:9'], 9, /cannot be reached/],
  [['search', 'x', '--server', 'http://127.0.0.1:9'], 9, /cannot be reached/],
  [['stop', '--server', 'http://127.0.0.1:9'], 2, /on this machine alone/],
  [['search', 'x', '--server', 'http://u:p@h'], 2, /without a password/],
])('%j fails with code %d and says why', async (words, code, message) => {
  const failed = await quarry(words as string[]);
  expect(failed.code).toBe(code);
  expect(failed.stderr).toMatch(message as RegExp);
});

test('a server named in a project file is not asked', async () => {
  await writeFile(join(folder, 'quarry.toml'), 'server = "http://127.0.0.1:9"\n');
  const failed = await quarry(['search', 'x']);
  expect(failed).toMatchObject({ code: 2, stderr: expect.stringMatching(/config-invalid/) });
});
