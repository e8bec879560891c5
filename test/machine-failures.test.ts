import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pdfOf } from '../src/drivers/extractors/samples.fixture.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A copy of the program whose packages are links to the installed ones. */
const program = await temporaryFolder();
await cp(join(root, 'src'), join(program, 'src'), {
  recursive: true,
  filter: (path) => !path.endsWith('.test.ts'),
});
await cp(join(root, 'package.json'), join(program, 'package.json'));
await symlink(join(root, 'models'), join(program, 'models'));
const carried = join('native', `${process.platform}-${process.arch}`);
for (const folder of ['node_modules', carried]) {
  await mkdir(join(program, folder), { recursive: true });
  for (const name of await readdir(join(root, folder)))
    if (!name.startsWith('.')) await symlink(join(root, folder, name), join(program, folder, name));
}

/** Where a package lies, below the root of the program. */
function placeOf(name: string): string {
  return join(name === 'pdfjs-dist' ? carried : 'node_modules', name);
}

/** Takes a package away until `install(name)` is called, or until the end of the test. */
async function uninstall(name: string): Promise<void> {
  const link = join(program, placeOf(name));
  await unlink(link);
  onTestFinished(async () => {
    await rm(link, { force: true });
    await symlink(join(root, placeOf(name)), link);
  });
}

/** What a program prints that gets `project`, `run()` and the path of a package to install. */
async function outputOf(folder: string, body: string, shell = ''): Promise<unknown> {
  const script = join(program, 'script.mjs');
  await writeFile(
    script,
    `import { closeSync, openSync, readFileSync, symlinkSync } from 'node:fs';
    import { openProject } from ${JSON.stringify(pathToFileURL(join(program, 'src/project/open-project.ts')).href)};
    const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
    const project = await openProject(${JSON.stringify(folder)}, { settings });
    const run = async (options = {}) => {
      for await (const event of project.index({ prepare: 'never', ...options }));
      const status = await project.status({ compare: false });
      const listed = (entries) => entries.filter(({ uri }) => uri !== '.quarry/').map(({ uri, reason, detail }) => ({ uri, reason, detail }));
      const documents = (await (await project.store()).documents()).map(({ uri }) => uri);
      return { documents, failed: listed(status.failed), skipped: listed(status.skipped), degraded: listed(status.degraded) };
    };
    const install = (place) => symlinkSync(${JSON.stringify(`${root}/`)} + place, ${JSON.stringify(`${program}/`)} + place);
    ${body}
    await project.close();`,
  );
  const command = `${shell} exec ${JSON.stringify(process.execPath)} ${JSON.stringify(script)}`;
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

const nothing = { failed: [], skipped: [], degraded: [] };

describe('a package that is missing', () => {
  test.each([
    ['pdfjs-dist', { 'a.pdf': pdfOf([['Hello world.']]) }, 'pdfjs-dist'],
    ['@cursorless/tree-sitter-wasms', { 'a.ts': 'export const a = 1;\n' }, '@cursorless'],
  ])(
    '%s: its files are failed for that reason, and in the index after the install',
    async (name, files, link) => {
      await uninstall(link);
      const folder = await temporaryFolder(files);
      const [uri] = Object.keys(files);
      const seen = await outputOf(
        folder,
        `const before = await run();
      const again = await run({ passOverRefused: true });
      install(${JSON.stringify(placeOf(link))});
      console.log(JSON.stringify({ before, again, after: await run() }));`,
      );
      const failed = [
        {
          uri,
          reason: 'requirement-missing',
          detail: expect.stringMatching(`Run: npm install (--ignore-scripts )?${name}`),
        },
      ];
      expect(seen).toEqual({
        before: { ...nothing, documents: [], failed },
        again: { ...nothing, documents: [], failed },
        after: { ...nothing, documents: [uri] },
      });
    },
  );

  test('leaves the version of a document that was read before it went missing', async () => {
    const folder = await temporaryFolder({ 'a.pdf': pdfOf([['Hello world.']]) });
    const body = 'console.log(JSON.stringify(await run()));';
    expect(await outputOf(folder, body)).toMatchObject({ failed: [] });
    await uninstall('pdfjs-dist');
    await writeFiles(folder, { 'a.pdf': pdfOf([['Hello again.']]) });
    expect(await outputOf(folder, body)).toMatchObject({
      documents: ['a.pdf'],
      failed: [{ uri: 'a.pdf', reason: 'requirement-missing' }],
    });
  });
});

describe.skipIf(process.platform === 'win32')('a process that may open no further file', () => {
  test('reads what it could not read as soon as it may, and blames no file', async () => {
    const folder = await temporaryFolder({
      'a.md': '# One\n',
      'b.html': '<h1>Two</h1><p>More words.',
      'c.pdf': pdfOf([['Three']]),
    });
    const pool = pathToFileURL(join(program, 'src/reading/reading-pool.ts')).href;
    const seen = await outputOf(
      folder,
      `const { openReading } = await import(${JSON.stringify(pool)});
      const reading = openReading(project.settings);
      const bytes = Object.fromEntries(
        ['a.md', 'b.html', 'c.pdf'].map((uri) => [uri, readFileSync(project.folder + '/' + uri)]),
      );
      const read = (uri) => {
        const file = { uri, size: 1, modifiedAt: 1 };
        const document = reading.read({ file, bytes: new Uint8Array(bytes[uri]), revision: 'r' });
        return document.then(({ kind }) => kind, ({ code, remedy }) => ({ code, remedy }));
      };
      const first = await read('a.md');
      const held = [];
      try {
        for (;;) held.push(openSync('/dev/null', 'r'));
      } catch {
        // As many as there may be.
      }
      const full = { html: await read('b.html'), pdf: await read('c.pdf') };
      for (const handle of held) closeSync(handle);
      const free = { html: await read('b.html'), pdf: await read('c.pdf') };
      console.log(JSON.stringify({ first, full, free }));
      await reading.close();`,
      'ulimit -n 128;',
    );
    const failure = { code: 'machine-failed', remedy: expect.stringContaining('ulimit -n') };
    expect(seen).toEqual({
      first: 'document',
      full: { html: failure, pdf: failure },
      free: { html: 'document', pdf: 'document' },
    });
  });
});
