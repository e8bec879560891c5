import { readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { IndexEvent } from '../../core/events.ts';
import { openProject } from '../../project/open-project.ts';
import { searchOperation } from '../find/search.ts';
import { indexOperation } from './index-project.ts';

const hashing = { 'embedder.driver': 'hashing', 'resources.threads': 1 };
const text = (about: string) => `# ${about}\n\nThis page explains ${about} in a few words.\n`;

/** A project with a second root elsewhere, both of them indexed. */
async function withDrive() {
  const folder = await temporaryFolder({ 'own.md': text('apples') });
  const drive = await temporaryFolder({ 'far.md': text('pears'), 'deep/farther.md': text('plums') });
  const settings = { ...hashing, 'index.roots': ['.', drive] };
  const project = await openProject(folder, { settings });
  await run(project);
  return {
    folder,
    drive,
    project,
    far: ['deep/farther.md', 'far.md'].map((path) => `${basename(drive)}/${path}`),
  };
}

async function run(project: Project, options: { full?: boolean } = {}) {
  const events: IndexEvent[] = [];
  for await (const event of project.index(options)) events.push(event);
  const last = events.at(-1);
  const troubles = events.flatMap((event) => (event.type === 'root-failed' ? [event.error] : []));
  return { troubles, summary: last?.type === 'index-end' ? last.summary : undefined };
}

async function search(project: Project, question: string) {
  const work = searchOperation.run(project, searchOperation.input.parse({ query: question }), {});
  let step = await work.next();
  while (!step.done) step = await work.next();
  return searchOperation.output.parse(step.value);
}

const paths = async (project: Project) => (await project.store()).paths();
describe('a root whose drive is not mounted', () => {
  test('keeps all its documents and their vectors while its folder is empty', async () => {
    const { drive, project, far } = await withDrive();
    const aside = await temporaryFolder();
    for (const name of await readdir(drive)) await rename(join(drive, name), join(aside, name));
    const { summary, troubles } = await run(project);
    expect(summary?.documents.deleted).toBe(0);
    expect(troubles).toMatchObject([
      { code: 'file-unreadable', remedy: expect.stringContaining('quarry index --full') },
    ]);
    expect(await paths(project)).toEqual(['own.md', ...far]);
    const { changes, skipped } = await project.status();
    expect(changes).toEqual({ added: 0, changed: 0, deleted: 0 });
    expect(skipped).toContainEqual(
      expect.objectContaining({
        uri: `${basename(drive)}/`,
        reason: 'empty',
        detail: expect.stringContaining('mounted?'),
      }),
    );
    const found = await search(project, 'pears');
    expect(found.hits.map(({ path }) => path)).toContain(far[1]);
    expect(found.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('is empty')]);

    for (const name of await readdir(aside)) await rename(join(aside, name), join(drive, name));
    const back = await run(project);
    expect(back.summary?.documents).toMatchObject({ indexed: 0, deleted: 0, failed: 0 });
    expect(back.summary?.chunks).toMatchObject({ written: 0, embedded: 0 });
    expect(back.troubles).toEqual([]);
    expect((await project.status()).skipped.map(({ uri }) => uri)).not.toContain(`${basename(drive)}/`);
    await project.close();
  });

  test('is forgotten by a full run', async () => {
    const { drive, project } = await withDrive();
    for (const name of await readdir(drive)) await rm(join(drive, name), { recursive: true });
    await run(project);
    const { summary, troubles } = await run(project, { full: true });
    expect(summary?.documents.deleted).toBe(2);
    expect(troubles).toEqual([]);
    expect(await paths(project)).toEqual(['own.md']);
    expect((await run(project)).troubles).toEqual([]);
    await project.close();
  });

  test('is left alone while the project folder is still indexed, where its folder is gone', async () => {
    const { folder, drive, project, far } = await withDrive();
    await rename(drive, `${drive}-away`);
    await writeFiles(folder, { 'new.md': text('cherries') });
    const { summary, troubles } = await run(project);
    expect(summary?.documents).toMatchObject({ indexed: 1, deleted: 0 });
    expect(troubles).toMatchObject([{ code: 'project-not-found', message: expect.stringContaining(drive) }]);
    expect(await paths(project)).toEqual(['new.md', 'own.md', ...far]);
    const status = await project.status();
    expect(status.changes).toEqual({ added: 0, changed: 0, deleted: 0 });
    expect(status.skipped).toContainEqual(
      expect.objectContaining({ uri: `${basename(drive)}/`, reason: 'unreadable' }),
    );
    const found = await search(project, 'pears cherries');
    expect(found.hits.map(({ path }) => path)).toEqual(expect.arrayContaining(['new.md', far[1]]));
    expect(found.warnings).toMatchObject([{ code: 'project-not-found' }]);

    await rename(`${drive}-away`, drive);
    const back = await run(project);
    expect(back.troubles).toEqual([]);
    expect(back.summary?.documents).toMatchObject({ indexed: 0, deleted: 0 });
    await project.close();
  });

  test('that was never there is said aloud by the run, whose other roots are indexed', async () => {
    const folder = await temporaryFolder({ 'own.md': text('apples') });
    const settings = { ...hashing, 'index.roots': ['.', 'dosc'] };
    const project = await openProject(folder, { settings });
    const work = indexOperation.run(project, { paths: [], full: false }, {});
    let step = await work.next();
    while (!step.done) step = await work.next();
    expect(step.value.warnings).toMatchObject([
      { code: 'project-not-found', message: expect.stringContaining('dosc') },
    ]);
    expect(indexOperation.exitCode?.(step.value)).toBe(3);
    expect(await paths(project)).toEqual(['own.md']);
    await project.close();
  });

  test('is no reason for a search to fail, even where it is the only one', async () => {
    const folder = await temporaryFolder({ 'docs/a.md': text('apples') });
    const settings = { ...hashing, 'index.roots': ['docs'] };
    const project = await openProject(folder, { settings });
    await run(project);
    await rename(join(folder, 'docs'), join(folder, 'away'));
    await expect(run(project)).rejects.toMatchObject({ code: 'project-not-found' });
    const found = await search(project, 'apples');
    expect(found.hits.map(({ path }) => path)).toEqual(['docs/a.md']);
    expect(found.warnings).toMatchObject([{ code: 'project-not-found' }]);
    await project.close();
    const other = await openProject(await temporaryFolder(), { settings });
    await expect(search(other, 'apples')).rejects.toMatchObject({ code: 'project-not-found' });
    await other.close();
  });
});

describe('a project folder without a single entry', () => {
  test('has lost its files for good: the index inside it shows that its drive is there', async () => {
    const { folder, project, far } = await withDrive();
    await rm(join(folder, 'own.md'));
    const { summary, troubles } = await run(project);
    expect(summary?.documents.deleted).toBe(1);
    expect(troubles).toEqual([]);
    expect(await paths(project)).toEqual(far);
    await project.close();
  });

  test('is nothing to speak of where nothing was indexed', async () => {
    const project = await openProject(await temporaryFolder(), { settings: hashing });
    await project.add({ name: 'talk.md', text: text('talks') });
    expect((await run(project)).troubles).toEqual([]);
    await project.close();
  });
});
