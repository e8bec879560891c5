import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../src/testing/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
// Where a shell is needed to find it (npm.cmd on Windows), one is used.
const shell = process.platform === 'win32';

let consumer: string;
beforeAll(async () => {
  const tarballs = await temporaryFolder();
  await run('npm', ['pack', '--silent', '--pack-destination', tarballs], { cwd: root, shell });
  const [tarball = ''] = await readdir(tarballs);
  consumer = await temporaryFolder({
    'package.json': '{ "name": "consumer", "private": true, "type": "module" }',
    'notes/tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees for two minutes.',
  });
  const env = { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip', QUARRY_TEST: undefined };
  await run(
    'npm',
    ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', join(tarballs, tarball)],
    { cwd: consumer, env, shell },
  );
}, 300_000);

test('the packed package is installed into an empty folder and searches it', async () => {
  await writeFile(
    join(consumer, 'use.js'),
    `import { openProject } from 'quarry';
     const project = await openProject('.');
     for await (const event of project.index()) if (event.type === 'document-failed') throw new Error(event.reason);
     const { hits } = await project.search('how hot should the water be?', { filter: { types: ['doc', 'note'] } });
     console.log(JSON.stringify({ path: hits[0].document.uri, section: hits[0].chunk.section }));
     await project.close();`,
  );
  const { stdout } = await run(process.execPath, ['use.js'], { cwd: consumer });
  expect(JSON.parse(stdout)).toEqual({ path: 'notes/tea.md', section: 'Tea' });
});

test('it runs under the oldest Node.js that it admits', async () => {
  const old = await temporaryFolder({ 'package.json': '{ "private": true }' });
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', 'node@22.16.0'], { cwd: old, shell });
  const node = join(old, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  expect((await run(node, ['--version'])).stdout).toBe('v22.16.0\n');
  const command = join(consumer, 'node_modules', 'quarry', 'dist', 'surfaces', 'cli', 'main.js');
  const { stdout, stderr } = await run(node, [command, 'search', 'green tea', '--json'], { cwd: consumer });
  expect(JSON.parse(stdout).hits[0].path).toBe('notes/tea.md');
  expect(stderr).toBe('');
});

test('its command runs', async () => {
  const command = join(consumer, 'node_modules', 'quarry', 'dist', 'surfaces', 'cli', 'main.js');
  const { stdout } = await run(process.execPath, [command, 'search', 'green tea', '--json'], {
    cwd: consumer,
  });
  expect(JSON.parse(stdout).hits[0].path).toBe('notes/tea.md');
});

test('its types are complete, and its conformance suite can be imported', async () => {
  await writeFile(
    join(consumer, 'use.ts'),
    `import { openProject, QuarryError, type Hit, type Store } from 'quarry';
     import { storeConformance } from 'quarry/testing';
     const project = await openProject('.');
     const hits: readonly Hit[] = (await project.search('x')).hits;
     const store: Store = await project.store();
     const promises: string[] = storeConformance.map((check) => check.promise);
     // @ts-expect-error a relevance is a number
     const wrong: string = hits[0]!.relevance;
     export { hits, store, promises, wrong, QuarryError };`,
  );
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    '',
    'use.ts',
  ];
  const { stdout } = await run(process.execPath, [compiler, ...flags], { cwd: consumer });
  expect(stdout).toBe('');
});

test('holds what is needed and nothing else', async () => {
  const installed = await readdir(join(consumer, 'node_modules', 'quarry'), { recursive: true });
  expect(installed).toEqual(
    expect.arrayContaining([join('models', 'all-MiniLM-L6-v2', 'PROVENANCE.md'), 'LICENSE']),
  );
  expect(
    installed.filter((path) => /\.test\.|\.fixture\.|fixtures|^(src|test|bench|docs)\b/.test(path)),
  ).toEqual([]);
});
