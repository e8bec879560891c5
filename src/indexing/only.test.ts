import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { openProject } from '../project/open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
const text = (about: string) => `# ${about}\n\nThis page explains ${about} in a few words.\n`;

/** Every test works in a folder of its own below one project. */
let folder: string;
let project: Project;
beforeAll(async () => {
  folder = await temporaryFolder();
  project = await openProject(folder, { settings });
});
afterAll(() => project.close());

async function indexOnly(only?: string[]) {
  const events: IndexEvent[] = [];
  for await (const event of project.index({ only })) events.push(event);
  const { summary } = events.at(-1) as { summary: IndexSummary };
  return { events, summary };
}

const paths = async (below: string) =>
  (await (await project.store()).paths()).filter((uri) => uri.startsWith(below));

describe('a run over some paths only', () => {
  test('takes in what is there and leaves everything else as it is', async () => {
    await writeFiles(folder, { 'one/a.md': text('a'), 'one/docs/b.md': text('b') });
    await indexOnly(['one']);
    await writeFiles(folder, {
      'one/a.md': text('changed'),
      'one/docs/b.md': text('changed too'),
      'one/docs/new/c.md': text('c'),
    });
    const { summary } = await indexOnly(['one/docs']);
    expect(summary.documents).toMatchObject({ indexed: 2, deleted: 0 });
    expect(await paths('one/')).toEqual(['one/a.md', 'one/docs/b.md', 'one/docs/new/c.md']);
    expect((await project.status()).changes).toEqual({ added: 0, changed: 1, deleted: 0 });
  });

  test('forgets what is gone there, a folder with all that was in it, and nothing elsewhere', async () => {
    await writeFiles(folder, {
      'two/x/a.md': text('a'),
      'two/x/y/b.md': text('b'),
      'two/xy.md': text('xy'),
      'two/other/c.md': text('c'),
    });
    await indexOnly(['two']);
    await rm(join(folder, 'two/x'), { recursive: true });
    await rm(join(folder, 'two/other'), { recursive: true });
    const { summary } = await indexOnly(['two/x']);
    expect(summary.documents.deleted).toBe(2);
    expect(await paths('two/')).toEqual(['two/other/c.md', 'two/xy.md']);
  });

  test('keeps the vectors of a file that moved from one of them to another', async () => {
    await writeFiles(folder, { 'three/a.md': text('moving'), 'three/b.md': text('staying') });
    await indexOnly(['three']);
    await mkdir(join(folder, 'three/deep'));
    await rename(join(folder, 'three/a.md'), join(folder, 'three/deep/moved.md'));
    const { summary } = await indexOnly(['three/a.md', 'three/deep/moved.md']);
    expect(summary.chunks).toMatchObject({ written: 1, embedded: 0, cached: 0, reused: 1 });
    expect(await paths('three/')).toEqual(['three/b.md', 'three/deep/moved.md']);
  });

  test('applies the rules of the folders above them', async () => {
    await writeFiles(folder, {
      'four/.gitignore': '*.log\n',
      'four/docs/b.log': 'started',
      'four/docs/node_modules/x/i.js': 'x',
      'four/docs/c.md': text('c'),
    });
    const only = ['four/docs/b.log', 'four/docs/c.md', 'four/docs/node_modules/x/i.js'];
    const { events } = await indexOnly(only);
    expect(await paths('four/')).toEqual(['four/docs/c.md']);
    const skipped = events.flatMap((event) => (event.type === 'path-skipped' ? [event.skipped.uri] : []));
    expect(skipped.toSorted()).toEqual(['four/docs/b.log', 'four/docs/node_modules/']);
  });

  test('forgets a file that was left out once it is gone', async () => {
    await writeFiles(folder, { 'five/empty.md': '', 'five/other.md': '' });
    await indexOnly(['five']);
    await rm(join(folder, 'five'), { recursive: true });
    await indexOnly(['five/empty.md']);
    const skipped = (await project.status({ compare: false })).skipped.map(({ uri }) => uri);
    expect(skipped.filter((uri) => uri.startsWith('five/'))).toEqual(['five/other.md']);
  });

  test('looks at no file where none is named, refuses a path that leads out, and takes all where the folder is named', async () => {
    await writeFiles(folder, { 'six/a.md': text('a') });
    await indexOnly([]);
    for (const outside of ['../outside.md', '/etc/passwd'])
      await expect(indexOnly([outside])).rejects.toMatchObject({ code: 'path-outside-root' });
    expect(await paths('six/')).toEqual([]);
    await indexOnly(['.']);
    expect(await paths('six/')).toEqual(['six/a.md']);
  });

  test('leaves what was added through the API alone', async () => {
    const { uri } = await project.add({ name: 'talk.md', text: text('talk') });
    await indexOnly([uri]);
    expect(await paths(uri)).toEqual([uri]);
  });
});
