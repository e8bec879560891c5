import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startOpenAiServer } from '../../test/servers/embedding/openai-server.ts';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { type FollowedWatch, followWatch } from './follow-watch.fixture.ts';
import { openProject } from './open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'watch.interval_seconds': 0 };
const text = (about: string) => `# ${about}\n\nThis page explains ${about} in a few words.\n`;

interface WatchedProject {
  readonly folder: string;
  readonly project: Project;
  readonly watch: FollowedWatch;
  close(): Promise<void>;
}

async function startWatch(folder: string, more = {}, options = {}): Promise<WatchedProject> {
  const project = await openProject(folder, { settings: { ...settings, ...more } });
  const watch = followWatch(project, options);
  await watch.next('pass-end');
  const close = async (): Promise<void> => {
    await watch.stop();
    await project.close();
  };
  return { folder, project, watch, close };
}

/** A watched project of the test's own. */
async function watched(
  files: Record<string, string>,
  more: Record<string, unknown> = {},
  options: Parameters<typeof followWatch>[1] = {},
): Promise<WatchedProject> {
  const started = await startWatch(await temporaryFolder(files), more, options);
  onTestFinished(() => started.close());
  return started;
}

const paths = async (project: Project, below = '') =>
  (await (await project.store()).paths()).filter((uri) => uri.startsWith(below));

/** Waits for the end of the pass that indexes a file. */
async function indexed(watch: FollowedWatch, uri: string) {
  await watch.next('document-indexed', (event) => event.uri === uri);
  return watch.next('pass-end');
}

/** Waits for the end of the pass that takes a file out. */
async function deleted(watch: FollowedWatch, uri: string) {
  await watch.next('document-deleted', (event) => event.uri === uri);
  return watch.next('pass-end');
}

describe('a watch of files that change day by day', () => {
  let folder: string;
  let project: Project;
  let watch: FollowedWatch;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ folder, project, watch, close } = await startWatch(
      await temporaryFolder({ 'first/a.md': text('apples'), 'first/b.md': text('pears') }),
    ));
  });
  afterAll(() => close());

  test('takes in what is added and changed, takes out what is deleted, and looks at nothing else', async () => {
    expect(await paths(project, 'first/')).toEqual(['first/a.md', 'first/b.md']);
    await writeFile(join(folder, 'first/c.md'), text('plums'));
    const { summary } = await indexed(watch, 'first/c.md');
    expect(summary.documents).toEqual({ indexed: 1, unchanged: 0, deleted: 0, failed: 0 });
    await appendFile(join(folder, 'first/a.md'), 'Also about quinces.\n');
    await indexed(watch, 'first/a.md');
    expect((await project.search('quinces')).hits[0]?.document.uri).toBe('first/a.md');
    await rm(join(folder, 'first/b.md'));
    await deleted(watch, 'first/b.md');
    expect(await paths(project, 'first/')).toEqual(['first/a.md', 'first/c.md']);
  });

  test('understands editors that save by replacing the file', async () => {
    await writeFile(join(folder, 'saved.md'), text('apples'));
    await indexed(watch, 'saved.md');
    await writeFile(join(folder, '.saved.md.tmp'), text('cherries'));
    await rename(join(folder, 'saved.md'), join(folder, 'saved.md~'));
    await rename(join(folder, '.saved.md.tmp'), join(folder, 'saved.md'));
    await rm(join(folder, 'saved.md~'));
    await indexed(watch, 'saved.md');
    expect((await project.search('cherries')).hits[0]?.document.uri).toBe('saved.md');
    // The new file has another identity; later changes must be noticed all the same.
    await appendFile(join(folder, 'saved.md'), 'And medlars.\n');
    await indexed(watch, 'saved.md');
    expect((await project.search('medlars')).hits[0]?.document.uri).toBe('saved.md');
    expect(await paths(project, 'saved')).toEqual(['saved.md']);
  });

  test('follows folders that are made, renamed as a whole, deleted and made again', async () => {
    await writeFiles(folder, { 'one/two/three/deep.md': text('depth') });
    await indexed(watch, 'one/two/three/deep.md');
    await rename(join(folder, 'one'), join(folder, 'uno'));
    const moved = await indexed(watch, 'uno/two/three/deep.md');
    expect(moved.summary.documents.deleted).toBe(1);
    expect(moved.summary.chunks).toMatchObject({ embedded: 0, cached: 0, pending: 0 });
    await writeFile(join(folder, 'uno/two/three/later.md'), text('lateness'));
    await indexed(watch, 'uno/two/three/later.md');
    await rm(join(folder, 'uno'), { recursive: true });
    await deleted(watch, 'uno/two/three/later.md');
    await writeFiles(folder, { 'uno/two/again.md': text('return') });
    await indexed(watch, 'uno/two/again.md');
    expect(await paths(project, 'uno/')).toEqual(['uno/two/again.md']);
  });

  test('applies new ignore rules to what they concern, and takes back what they no longer do', async () => {
    await writeFiles(folder, { 'ruled/a.md': text('apples'), 'ruled/b.md': text('pears') });
    await indexed(watch, 'ruled/b.md');
    await writeFile(join(folder, 'ruled/.quarryignore'), 'a.md\n');
    await deleted(watch, 'ruled/a.md');
    await rm(join(folder, 'ruled/.quarryignore'));
    await indexed(watch, 'ruled/a.md');
    expect(await paths(project, 'ruled/')).toEqual(['ruled/a.md', 'ruled/b.md']);
  });

  test('leaves a folder out once a manifest beside it says that it is build output', async () => {
    await writeFiles(folder, { 'web/dist/a.md': text('apples') });
    await indexed(watch, 'web/dist/a.md');
    await writeFile(join(folder, 'web/package.json'), '{ "name": "x" }');
    await deleted(watch, 'web/dist/a.md');
    expect(await paths(project, 'web/')).toEqual(['web/package.json']);
  });

  test('takes no pass for what is written into an ignored file', async () => {
    await writeFiles(folder, { 'busy/.gitignore': '*.tmp\n', 'busy/x.tmp': 'x' });
    await indexed(watch, 'busy/.gitignore');
    for (const name of ['a.md', 'b.md']) {
      await appendFile(join(folder, 'busy/x.tmp'), 'y\n');
      await writeFile(join(folder, 'busy', name), text(name));
      await indexed(watch, `busy/${name}`);
    }
    const last = watch.events.findLast((event) => event.type === 'pass-start');
    expect(last).toMatchObject({ reason: 'changes', paths: 1 });
  });

  test('ends without an error when it is stopped', async () => {
    await watch.stop();
    expect(watch.events.at(-1)?.type).toBe('watch-end');
    expect(watch.events.filter((event) => event.type === 'pass-failed')).toEqual([]);
  });
});

describe('a watch of a project that itself changes', () => {
  test('reads changed settings, and keeps the old ones while the new are wrong', async () => {
    const { folder, project, watch } = await watched({ 'a.md': text('apples'), 'b.txt': 'pears' });
    await writeFile(join(folder, 'quarry.toml'), '[index]\ninclude = "nonsense"\n');
    expect((await watch.next('settings-refused')).error.code).toBe('config-invalid');
    await writeFile(join(folder, 'quarry.toml'), '[index]\ninclude = ["*.txt"]\n');
    await deleted(watch, 'a.md');
    expect(await paths(project)).toEqual(['b.txt']);
  });

  test('lists what it cannot take in, with the reason, until it can', async () => {
    const { folder, project, watch } = await watched({ 'a.md': text('apples'), 'torn.docx': 'no archive' });
    const skipped = async () =>
      (await project.status()).skipped.flatMap(({ uri, detail }) =>
        uri === '.quarry/' ? [] : [uri, detail],
      );
    expect(await skipped()).toEqual(['torn.docx', expect.stringContaining('broken DOCX')]);
    await rm(join(folder, 'torn.docx'));
    await writeFile(join(folder, 'quarry.toml'), '[chunkers]\nmagic = ["*.md"]\n');
    expect((await watch.next('settings-refused')).error.code).toBe('config-invalid');
    await rm(join(folder, 'quarry.toml'));
    await writeFile(join(folder, 'b.md'), text('pears'));
    await indexed(watch, 'b.md');
    expect(await skipped()).toEqual([]);
    expect(await project.status()).toMatchObject({
      failed: [],
      changes: { added: 0, changed: 0, deleted: 0 },
    });
  });

  test('keeps the documents of a root that is gone, and continues when it is back', async () => {
    const { folder, project, watch } = await watched(
      { 'docs/a.md': text('apples'), 'src/b.md': text('pears') },
      { 'index.roots': ['docs', 'src'] },
      { expectsFailures: true },
    );
    await rename(join(folder, 'docs'), join(folder, 'elsewhere'));
    expect((await watch.next('root-failed')).error.code).toBe('project-not-found');
    await watch.next('pass-end');
    expect(await paths(project)).toEqual(['docs/a.md', 'src/b.md']);
    expect((await project.status()).changes).toEqual({ added: 0, changed: 0, deleted: 0 });
    await rename(join(folder, 'elsewhere'), join(folder, 'docs'));
    await watch.next('pass-end');
    await writeFile(join(folder, 'docs/c.md'), text('cherries'));
    await indexed(watch, 'docs/c.md');
    expect(await paths(project)).toEqual(['docs/a.md', 'docs/c.md', 'src/b.md']);
  });

  test.for([true, false])('continues after a pass that failed, alone: %s', async (isAlone) => {
    // An embedder that cannot be asked any more once it is closed.
    const server = await startOpenAiServer({ model: 'm' });
    onTestFinished(() => server.close());
    const embedder = { 'embedder.driver': 'openai', 'embedder.url': server.url, 'embedder.model': 'm' };
    const more = { ...embedder, 'cache.max_bytes': 0 };
    const options = { expectsFailures: true, isAlone };
    const { folder, watch } = await watched({ 'a.md': text('apples') }, more, options);
    const away = `${folder}-away`;
    await rename(folder, away);
    await writeFile(join(away, 'pears.md'), text('pears'));
    expect((await watch.next('pass-failed')).error.code).toBe('project-not-found');
    await rename(away, folder);
    expect((await indexed(watch, 'pears.md')).summary.chunks).toMatchObject({ embedded: 1, pending: 0 });
  });

  // Windows deletes no file that is open.
  test.skipIf(process.platform === 'win32')('makes all of an index that was deleted under it', async () => {
    const { folder, project, watch } = await watched({ 'a.md': text('apples'), 'b.md': text('pears') });
    await rm(join(folder, '.quarry'), { recursive: true });
    await writeFile(join(folder, 'c.md'), text('plums'));
    await indexed(watch, 'c.md');
    expect(await paths(project)).toEqual(['a.md', 'b.md', 'c.md']);
  });

  test('finds by its scan what no event tells', async () => {
    const { project, watch } = await watched({ 'a.md': text('apples') }, { 'watch.interval_seconds': 0.05 });
    // Taken out of the index alone, so that no file tells of it.
    await project.remove('a.md');
    await watch.next('pass-start', ({ reason }) => reason === 'interval');
    await indexed(watch, 'a.md');
  });

  test('ends without an error when it is stopped in the midst of a pass', async () => {
    const files = Array.from({ length: 40 }, (_, at) => [`f${at}.md`, text(`number ${at}`)]);
    const folder = await temporaryFolder(Object.fromEntries(files));
    const project = await openProject(folder, { settings });
    const watch = followWatch(project);
    await watch.next('document-indexed');
    await watch.stop();
    expect(watch.events.at(-1)).toEqual({ type: 'watch-end', passes: 1 });
    await project.close();
  });

  test('does nothing and ends where the project is disabled', async () => {
    const project = await openProject(await temporaryFolder(), { settings: { enabled: false } });
    const watch = followWatch(project);
    expect(await watch.next('watch-end')).toEqual({ type: 'watch-end', passes: 0 });
  });
});

describe('in a git repository', () => {
  const git = async (folder: string, ...words: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], { cwd: folder });
  const many = (count: number, what: string) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`d${at % 7}/f${at}.md`, text(`${what} ${at}`)]),
    );

  test('switching to a branch with many other files is one pass, and other excludes are another', async () => {
    const folder = await temporaryFolder({ 'README.md': text('the whole'), ...many(140, 'before') });
    await git(folder, 'init', '-q', '-b', 'main');
    await git(folder, 'add', '.');
    await git(folder, 'commit', '-qm', 'one');
    await git(folder, 'switch', '-qc', 'other');
    await writeFiles(folder, many(130, 'after'));
    await rm(join(folder, 'd1'), { recursive: true });
    await git(folder, 'add', '-A');
    await git(folder, 'commit', '-qm', 'two');
    await git(folder, 'switch', '-q', 'main');
    const { project, watch, close } = await startWatch(
      folder,
      {},
      { timing: { quiet: 500, maxWait: 10_000 } },
    );
    onTestFinished(() => close());
    await git(folder, 'switch', '-q', 'other');
    const { summary } = await watch.next('pass-end');
    expect(summary.documents).toMatchObject({ indexed: 111, deleted: 20 });
    expect((await project.status()).changes).toEqual({ added: 0, changed: 0, deleted: 0 });
    await mkdir(join(folder, '.git/info'), { recursive: true });
    await writeFile(join(folder, '.git/info/exclude'), 'README.md\n');
    await deleted(watch, 'README.md');
    expect(watch.events.filter((event) => event.type === 'pass-start')).toHaveLength(3);
  });
});

/** A server for embeddings that answers one request, and lets others wait until it is released. */
async function holdingServer() {
  let requests = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse((await request.toArray()).join(''));
    requests += 1;
    if (requests > 1) await released;
    const data = input.map((_: string, index: number) => ({ index, embedding: [1, index, 2, 3] }));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, model: 'm' }));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, release };
}

describe('while vectors are made', () => {
  test('edits are found by their words, and vectors are made of all in the end', async () => {
    const { url, release } = await holdingServer();
    const files = Array.from({ length: 300 }, (_, at) => [`f${at}.md`, text(`number ${at}`)]);
    const folder = await temporaryFolder(Object.fromEntries(files));
    const embedder = { 'embedder.driver': 'openai', 'embedder.url': url, 'embedder.model': 'm' };
    const more = { 'embedder.concurrency': 1, 'cache.max_bytes': 0 };
    const project = await openProject(folder, { settings: { ...settings, ...embedder, ...more } });
    onTestFinished(() => project.close());
    const watch = followWatch(project, { timing: { vectorTurn: 0 } });
    onTestFinished(() => watch.stop());
    await watch.next('vectors-added', ({ done }) => done > 0);
    await writeFile(join(folder, 'f1.md'), text('periwinkles'));
    await watch.next('vectors-paused');
    expect((await watch.next('pass-end')).summary.chunks.pending).toBeGreaterThan(0);
    await watch.next('document-indexed', ({ uri }) => uri === 'f1.md');
    const { hits, pending } = await project.search('periwinkles', { route: 'text' });
    expect(hits[0]?.document.uri).toBe('f1.md');
    expect(pending).toBeGreaterThan(0);
    release();
    const { summary } = await watch.next('pass-end', (event) => event.summary.chunks.pending === 0);
    expect(summary.chunks).toMatchObject({ total: 300, pending: 0 });
    expect(watch.events.filter((event) => event.type === 'vectors-failed')).toEqual([]);
  });
});

test('two watches of one project take turns and come to rest with the same index', async () => {
  const folder = await temporaryFolder({ 'a.md': text('apples') });
  const both = [await startWatch(folder), await startWatch(folder)];
  onTestFinished(async () => {
    for (const { close } of both) await close();
  });
  await writeFile(join(folder, 'b.md'), text('pears'));
  for (const { watch } of both) {
    await watch.next('pass-start', ({ reason }) => reason === 'changes');
    await watch.next('pass-end');
  }
  for (const { project } of both) expect(await paths(project)).toEqual(['a.md', 'b.md']);
});
