import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from '../project/open-project.ts';
import { changingTree } from './changing-source.fixture.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
const inStep = { added: 0, changed: 0, deleted: 0 };

async function index(project: Project): Promise<void> {
  for await (const _ of project.index());
}

describe('the status of a project', () => {
  test('counts what is new, changed and gone, and nothing once it is indexed', async () => {
    const folder = await temporaryFolder({
      'a.md': 'alpha',
      'b.md': 'beta',
      'c.md': 'gamma',
      'empty.md': '',
    });
    const project = await openProject(folder, { settings });
    expect((await project.status()).changes).toEqual({ added: 3, changed: 0, deleted: 0 });
    await expect(stat(join(folder, '.quarry'))).rejects.toThrow('ENOENT');
    await index(project);
    expect((await project.status()).changes).toEqual(inStep);
    await writeFiles(folder, { 'a.md': 'omega', 'd.md': 'delta', 'e.md': 'epsilon', 'empty.md': 'no more' });
    await rm(join(folder, 'b.md'));
    expect((await project.status()).changes).toEqual({ added: 2, changed: 2, deleted: 1 });
    await index(project);
    expect((await project.status()).changes).toEqual(inStep);
    await writeFile(join(folder, '.quarryignore'), 'c.md\n');
    expect((await project.status()).changes).toEqual({ added: 1, changed: 0, deleted: 1 });
    await project.close();
  });

  test('notices an edit of the same length within the same tick of the clock', async () => {
    const folder = await temporaryFolder({ 'a.md': 'alpha' });
    const project = await openProject(folder, { settings });
    const moment = new Date();
    await utimes(join(folder, 'a.md'), moment, moment);
    await index(project);
    await writeFile(join(folder, 'a.md'), 'omega');
    await utimes(join(folder, 'a.md'), moment, moment);
    expect((await project.status()).changes).toEqual({ added: 0, changed: 1, deleted: 0 });
    await project.close();
  });

  test('calls documents stale that the settings now cut another way, and no file changed', async () => {
    const folder = await temporaryFolder({ 'a.md': 'alpha' });
    const project = await openProject(folder, { settings });
    await index(project);
    await project.close();
    const other = await openProject(folder, { settings: { ...settings, 'chunking.sizes': 'characters' } });
    expect(await other.status()).toMatchObject({ stale: 1, changes: inStep });
    await other.close();
  });

  test('does not call what was added through the API gone', async () => {
    const folder = await temporaryFolder({ 'a.md': 'alpha' });
    const project = await openProject(folder, { settings });
    await project.add({ name: 'talk.md', text: 'said' });
    await index(project);
    expect((await project.status()).changes).toEqual(inStep);
    await project.close();
  });

  test('looks at no file where that is not wanted, and says so by saying nothing', async () => {
    const project = await openProject(await temporaryFolder({ 'a.md': 'alpha' }), { settings });
    expect(await project.status({ compare: false })).not.toHaveProperty('changes');
    await project.close();
  });

  test('still reports what the index holds when a root is gone', async () => {
    const folder = await temporaryFolder({ 'docs/a.md': 'alpha' });
    const project = await openProject(folder, { settings: { ...settings, 'index.roots': ['docs'] } });
    await index(project);
    await rm(join(folder, 'docs'), { recursive: true });
    const status = await project.status();
    expect(status.incomparable?.code).toBe('project-not-found');
    expect(status).not.toHaveProperty('changes');
    expect(status.counts.documents).toBe(1);
    await project.close();
  });
});

describe('files that were touched but look as before', () => {
  const longAgo = 1_000_000_000_000;
  const bound = 256 * 2 ** 20;

  /** Indexes files of these sizes, writes something else of the same size and time into all, and compares. */
  async function compareAfterEdits(sizes: Readonly<Record<string, number>>, modifiedAt = longAgo) {
    const tree = await changingTree();
    const write = (text: string, changedAt: number) => {
      for (const [uri, size] of Object.entries(sizes))
        tree.files.set(uri, { text, size, modifiedAt, changedAt });
    };
    write('alpha', longAgo);
    await tree.run();
    tree.reads.length = 0;
    write('omega', Date.now());
    const { changed } = await tree.behind();
    return { changed, reads: tree.reads };
  }

  test('are read up to 256 MiB in all; what lies beyond is not read, and counts as unchanged', async () => {
    const { changed, reads } = await compareAfterEdits({
      'a.md': bound / 2,
      'b.md': bound / 2,
      'c.md': 1,
      'd.md': bound / 2,
    });
    expect(reads).toEqual(['a.md', 'b.md']);
    expect(changed).toBe(2);
  });

  test('do not keep others from being read where one of them is larger than that', async () => {
    const { changed, reads } = await compareAfterEdits({ 'a.md': bound + 1, 'b.md': 1 });
    expect({ changed, reads }).toEqual({ changed: 1, reads: ['b.md'] });
  });

  test('are all read where they are small, however many they are', async () => {
    const sizes = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.md`, 1000]));
    const { changed, reads } = await compareAfterEdits(sizes);
    expect(reads).toHaveLength(50);
    expect(changed).toBe(50);
  });

  test('are read whatever their size where they were indexed while still warm', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { changed, reads } = await compareAfterEdits({ 'a.md': bound, 'b.md': bound }, Date.now());
    expect(reads).toEqual(['a.md', 'b.md']);
    expect(changed).toBe(2);
  });
});
