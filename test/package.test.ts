import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { makeTarball } from '../scripts/release/platform-files.ts';
import { sourceFile, sourceHash } from '../scripts/source-hash.ts';
import { modulesLoadedBy } from './loaded-modules.ts';
import {
  otherWays,
  type PackedInstall,
  packedInstall,
  plainEnvironment as plain,
  withoutNetwork,
} from './packed-install.ts';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
// Where a shell is needed to find it (npm.cmd on Windows), one is used.
const shell = process.platform === 'win32';

const quietly = ['--silent', '--no-audit', '--no-fund'];
const manifest = '{ "name": "consumer", "private": true, "type": "module" }';
const tea = '# Tea\n\nGreen tea is brewed at eighty degrees for two minutes.';

let packed: PackedInstall;
/** A folder of a user's own with one note. */
let consumer: string;
beforeAll(async () => {
  packed = await packedInstall();
  consumer = await packed.project({ 'notes/tea.md': tea });
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Indexes the folder with the real model and asks it a question that shares no word with its answer. */
async function searchIn(folder: string): Promise<unknown> {
  await writeFile(
    join(folder, 'use.js'),
    `import { openProject } from 'quarry';
     const project = await openProject('.');
     for await (const event of project.index()) if (event.type === 'document-failed') throw new Error(event.reason);
     const { hits, warnings } = await project.search('how hot should the water be?', { filter: { types: ['doc', 'note'] } });
     const { counts } = await project.status();
     console.log(JSON.stringify({ path: hits[0]?.document.uri, section: hits[0]?.chunk.section, warnings,
       embedded: counts.embedded === counts.chunks }));
     await project.close();`,
  );
  return JSON.parse((await run(process.execPath, ['use.js'], { cwd: folder, env: plain })).stdout);
}

const found = { path: 'notes/tea.md', section: 'Tea', warnings: [], embedded: true };

test('the packed package is installed into an empty folder, without a network, and searches it by meaning', async () => {
  expect(await searchIn(consumer)).toEqual(found);
  const carried = `native/${process.platform}-${process.arch}/usearch`;
  const graphLibrary = createRequire(join(packed.package, 'package.json'))(`./${carried}`);
  expect(graphLibrary.Index).toBeTypeOf('function');
});

test('it is built from the source that is tested', async () => {
  expect(await readFile(join(packed.package, 'dist', sourceFile), 'utf8')).toBe(sourceHash());
});

test('npm warns of nothing while it is installed, but for a Node.js that is too old', async () => {
  const lines = (await readFile(packed.warnings, 'utf8')).split('\n').filter(Boolean);
  // What a machine's own settings are warned of is not about the package.
  expect(lines.filter((line) => !/EBADENGINE|Unknown (user|env|project) config/.test(line))).toEqual([]);
});

test('every file that its README and its guide name in a link within it is there, also without a network', async () => {
  const guide = (await readdir(join(packed.package, 'docs/guide'))).filter((name) => name.endsWith('.md'));
  const linked = await Promise.all(
    ['README.md', 'docs/glossary.md', ...guide.map((name) => `docs/guide/${name}`)].map(async (name) => {
      const text = await readFile(join(packed.package, name), 'utf8');
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
      return targets.map((target) => join(dirname(name), target));
    }),
  );
  const paths = [...new Set(linked.flat())];
  expect(paths.length).toBeGreaterThan(50);
  // What is run or read in a clone alone stands there: benchmarks, tests and examples.
  const ofClone = /^(?:bench\/(?!agents)|test\/|examples\/|Dockerfile$)/;
  const there = await Promise.all(
    paths.map(async (path) => ofClone.test(path) || (await exists(join(packed.package, path)))),
  );
  expect(paths.filter((_, at) => !there[at])).toEqual([]);
});

test('it carries the web page', async () => {
  expect(await readdir(join(packed.package, 'dist/web'))).toContain('index.html');
});

test.skipIf(!withoutNetwork || !otherWays.includes('npm 10'))(
  'npm 10 installs the tarball of a release without a network and without a flag (needs unshare)',
  async () => {
    const [unshare = '', ...namespaces] = withoutNetwork ?? [];
    const tools = await temporaryFolder({ 'package.json': '{ "private": true }' });
    await run('npm', ['install', ...quietly, '--prefer-offline', 'npm@10'], { cwd: tools, shell });
    const npm10 = join(tools, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    const folder = await temporaryFolder({ 'package.json': manifest, 'notes/tea.md': tea });
    const platform = { os: process.platform, cpu: process.arch };
    const tarball = await makeTarball(platform, packed.tarball, await temporaryFolder());
    const installing = ['install', '--no-audit', '--cache', await temporaryFolder(), tarball];
    await run(unshare, [...namespaces, process.execPath, npm10, ...installing], { cwd: folder, env: plain });
    expect(await searchIn(folder)).toEqual(found);
  },
);

test('its adapters need the framework of their name, and say which where it is missing', async () => {
  const outcome = async (entry: string) => {
    const script = `import('${entry}').then(() => console.log('loaded'), ({ message }) => console.log(message))`;
    return (await run(process.execPath, ['-e', script], { cwd: consumer, env: plain })).stdout;
  };
  expect(await outcome('quarry/ai-sdk')).toBe('loaded\n');
  expect(await outcome('quarry/langchain')).toContain("Cannot find package '@langchain/core'");
  expect(await outcome('quarry/langgraph')).toContain("Cannot find package '@langchain/core'");
  expect(await outcome('quarry/llamaindex')).toContain("Cannot find package '@llamaindex/core'");
});

test('takes less than 140 MB with everything that it needs', async () => {
  const folder = join(packed.package, '..');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(140_000_000);
});

test.runIf(otherWays.includes('the oldest Node.js'))(
  'it runs under the oldest Node.js that it admits',
  async () => {
    const old = await temporaryFolder({ 'package.json': '{ "private": true }' });
    await run('npm', ['install', '--silent', '--no-audit', '--no-fund', 'node@22.16.0'], { cwd: old, shell });
    const node = join(old, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    expect((await run(node, ['--version'])).stdout).toBe('v22.16.0\n');
    const { stdout, stderr } = await run(node, [packed.program, 'search', 'green tea', '--json'], {
      cwd: consumer,
    });
    expect(JSON.parse(stdout).hits[0].path).toBe('notes/tea.md');
    expect(stderr).toBe('');
  },
);

test('its command runs', async () => {
  const { stdout } = await run(process.execPath, [packed.program, 'search', 'green tea', '--json'], {
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

test('an older Node.js is told so', async ({ skip }) => {
  const version = (await run('node', ['--version'], { env: plain, shell })).stdout;
  // Only where the machine has one besides that of this clone.
  if (!/^v(\d|1\d|20|21)\./.test(version)) skip();
  const refused = run('node', [packed.program, 'search', 'x'], { env: plain, shell });
  const answer = `${version.trim().slice(1)} is too old`;
  await expect(refused).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining(answer) });
  const agent = join(packed.package, 'dist', 'agent', 'quarry-agent.mjs');
  const sent = run('node', [agent, '--server', 'http://127.0.0.1:9'], { env: plain, shell });
  await expect(sent).rejects.toMatchObject({ code: 4, stderr: expect.stringContaining(answer) });
  const library = `import('quarry').then(({ openProject }) => openProject('.')).catch(({ code, message, remedy }) => console.log(code, message, remedy))`;
  const { stdout } = await run('node', ['-e', library], { cwd: consumer, env: plain, shell });
  expect(stdout).toBe(`requirement-missing Node.js ${answer}. Install Node.js 22.16 or newer.\n`);
});

test('in a clone, npm and the first npx answer without a warning of the Node.js of the machine', async () => {
  const settings = {
    ...plain,
    npm_config_userconfig: join(consumer, 'none'),
    npm_config_loglevel: undefined,
  };
  const installed = await run('npm', ['ci', '--dry-run', '--ignore-scripts'], {
    cwd: root,
    env: settings,
    shell,
  });
  const answered = await run('npx', ['quarry', '--version'], { cwd: root, env: settings, shell });
  expect([installed.stderr, answered.stderr]).toEqual(['', '']);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(answered.stdout).toBe(`${version}\n`);
});

test('holds what is needed and nothing else', async () => {
  const everything = await readdir(packed.package, { recursive: true });
  // What the packages in it hold is their own business.
  const installed = everything.filter((path) => !path.startsWith('node_modules'));
  expect(installed).toEqual(
    expect.arrayContaining([join('models', 'all-MiniLM-L6-v2', 'PROVENANCE.md'), 'LICENSE']),
  );
  expect(
    installed.filter((path) =>
      /\.test\.|\.fixture\.|fixtures|(?<!try)-servers|simulated|^(src|test)\b|^bench\/(?!agents(\/README\.md)?$)/.test(
        path,
      ),
    ),
  ).toEqual([]);
});

test('its agent is one file that works alone, without anything of the package', async () => {
  const agent = join(await temporaryFolder({ 'notes/tea.md': tea }), 'agent.mjs');
  await copyFile(join(packed.package, 'dist', 'agent', 'quarry-agent.mjs'), agent);
  const help = await run(process.execPath, [agent, '--help'], { env: plain });
  expect(help.stdout).toContain('Usage: quarry-agent');
  const nobody = run(process.execPath, [agent, '--server', 'http://127.0.0.1:9'], { env: plain });
  await expect(nobody).rejects.toMatchObject({
    code: 9,
    stderr: expect.stringContaining('cannot be reached'),
  });
  expect((await stat(agent)).size).toBeLessThan(4_000_000);
});

test('a search that runs in its own process, in an index that is up to date, loads seven files', async () => {
  const folder = await temporaryFolder({ 'tea.md': tea });
  await run(process.execPath, [packed.program, 'index', '--project', folder], { env: plain });
  // A setting of its own keeps it in its process.
  const words = ['search', 'how hot is water?', '--project', folder, '--set', 'search.top_k=3'];
  const loaded = await modulesLoadedBy(packed.program, ...words);
  const own = loaded.flatMap((url) => url.split('/quarry/dist/')[1]?.replace(/-.{8}\.js$/, '') ?? []);
  expect(own.sort()).toEqual([
    'chunks/client',
    'chunks/everywhere',
    'chunks/front',
    'chunks/search',
    'chunks/start',
    'platform/kept-code.js',
    'surfaces/cli/main.js',
  ]);
});

test('an editor that starts the server waits for nothing that only a search needs', async () => {
  const chunks = join(packed.package, 'dist', 'chunks');
  const [editor = ''] = (await readdir(chunks)).filter((name) => /^editor-.{8}\.js$/.test(name));
  const text = await readFile(join(chunks, editor), 'utf8');
  const imported = [...text.matchAll(/^import [^;]*?'\.\/(.+)-.{8}\.js';/gm)].map(([, name]) => name);
  expect([...new Set(imported)].sort()).toEqual(['client', 'everywhere', 'start']);
});

test('a thread that reads text and code loads one file, without schemas', async () => {
  const threads = join(packed.package, 'dist', 'threads');
  const text = await readFile(join(threads, 'reading-thread.js'), 'utf8');
  const imported = [...text.matchAll(/(?:^|\n)import\b[^(;]*?'([^']+)';/g)].map(([, name]) => name);
  expect(imported.filter((name) => name?.startsWith('.'))).toEqual([]);
  expect(text).not.toContain('ZodType');
  // What it loads for the rare file is there, beside it.
  const later = [...text.matchAll(/\bimport\('(\.\/[^']+)'\)/g)].map(([, name]) => name ?? '');
  expect(later.some((name) => name.startsWith('./file-recogniser'))).toBe(true);
  for (const name of later) expect((await stat(join(threads, name))).isFile()).toBe(true);
});

test('its stack traces name the source where Node.js is asked to, and it carries the licences of what is bundled', async () => {
  const dist = join(packed.package, 'dist');
  const chunks = (await readdir(join(dist, 'chunks'))).filter((name) => name.endsWith('.js'));
  const bundled = new Set<string | undefined>();
  for (const name of chunks) {
    const map = JSON.parse(await readFile(join(dist, 'chunks', `${name}.map`), 'utf8'));
    expect((map.sourcesContent ?? []).filter(Boolean)).toEqual([]);
    for (const source of map.sources) bundled.add(/.*node_modules\/((@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  }
  expect(chunks.length).toBeGreaterThan(50);
  bundled.delete(undefined);
  expect([...bundled]).toEqual(expect.arrayContaining(['hono', 'jose', 'smol-toml', 'zod']));
  const licences = await readFile(join(dist, 'BUNDLED-LICENSES.txt'), 'utf8');
  for (const name of [...bundled, 'preact', 'htmlparser2']) expect(licences).toContain(`${name}\n\n`);
});
