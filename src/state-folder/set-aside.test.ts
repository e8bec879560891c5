import { cp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexEvent } from '../core/events.ts';
import type { Environment } from '../platform/environment.ts';
import { openProject } from '../project/open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
let folder: string;
let home: string;
beforeEach(async () => {
  folder = await temporaryFolder({ 'a.md': 'Granite is cut with wire saws.', 'b.md': 'Slate splits.' });
  home = await temporaryFolder({});
});

describe('an index that somebody else made, or changed, is set aside and built again:', () => {
  const forge = "UPDATE chunks SET text = replace(text, 'wire saws', 'forged saws')";
  const changes: [string, () => Promise<void>][] = [
    ['one changed row', () => alter(forge)],
    [
      'a trigger that rewrites every text',
      () => alter("CREATE TRIGGER t AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'forged'; END"),
    ],
    ['one entry of the manifest', () => alter("UPDATE manifest SET content_hash = 'x', chunks = 7")],
    ['a fact', () => alter("UPDATE facts SET value = '0'")],
    [
      'an index of another user',
      async () => {
        home = await temporaryFolder({});
      },
    ],
    ['a database of another program', () => replaceBy('CREATE TABLE bookmarks (url)')],
    ['a rollback journal', () => writeFile(`${database()}-journal`, 'journal')],
  ];

  test.each(changes)('%s, by a search', async (_, change) => {
    await indexed();
    await change();
    const project = await open();
    const { hits, warnings } = await project.search('granite cut with saws');
    expect(hits[0]?.chunk.text).toBe('Granite is cut with wire saws.');
    expect(warnings).toMatchObject([
      { code: 'store-foreign', message: expect.stringContaining('foreign-1') },
    ]);
    expect(await project.status()).toMatchObject({ setAside: ['foreign-1'], counts: { documents: 2 } });
    // Only once: what is there now is the own one.
    expect((await project.search('granite cut with saws')).warnings).toEqual([]);
    await project.close();
    const again = await open();
    expect((await again.search('granite cut with saws')).warnings).toEqual([]);
  });

  test.each(changes)('%s, by a run', async (_, change) => {
    await indexed();
    await change();
    const events = await indexed({ full: true });
    expect(events.filter(({ type }) => type === 'index-set-aside').length).toBeLessThanOrEqual(1);
    const project = await open();
    expect((await project.search('granite cut with saws')).hits[0]?.chunk.text).toContain('wire saws');
    expect(await defectsOf(project)).toEqual([]);
  });

  test('a trigger that rewrites every text is gone after a repair', async () => {
    await indexed();
    await alter("CREATE TRIGGER t AFTER INSERT ON chunks BEGIN UPDATE chunks SET text = 'forged'; END");
    const project = await open();
    for await (const _ of project.repair());
    await writeFiles(folder, { 'c.md': 'Marble is polished.' });
    expect((await project.search('marble polished')).hits[0]?.chunk.text).toBe('Marble is polished.');
    expect((await project.search('granite')).hits[0]?.chunk.text).toBe('Granite is cut with wire saws.');
  });

  test.each(['999999', '9007199254740992', '99999999999999999999999'])(
    'also where foreign-%s came with the folder',
    async (number) => {
      await indexed();
      await writeFiles(join(folder, '.quarry'), { [`foreign-${number}/x.txt`]: '' });
      for (const aside of ['foreign-1', 'foreign-2']) {
        await alter(forge);
        const project = await open();
        expect((await project.search('granite cut with saws')).warnings).toMatchObject([
          { message: expect.stringContaining(aside) },
        ]);
        await project.close();
      }
    },
  );

  test('what was read of it is nothing that was forged, whichever call is first', async () => {
    for (const ask of [
      (project: Project) => project.read({ path: 'a.md' }),
      (project: Project) => project.manifest({ chunks: true }),
      (project: Project) => project.status(),
      (project: Project) => project.context('granite'),
    ]) {
      await rm(join(folder, '.quarry'), { recursive: true, force: true });
      await indexed();
      await alter(
        "UPDATE chunks SET text = 'forged'; UPDATE documents SET title = 'forged'; UPDATE manifest SET detail = 'forged'",
      );
      const project = await open();
      expect(JSON.stringify(await ask(project))).not.toContain('forged');
      await project.close();
    }
  });

  test('also for a caller that wants no update', async () => {
    await indexed();
    await alter(forge);
    const project = await open();
    const { hits, warnings } = await project.search('granite cut with saws', { update: false });
    expect(hits[0]?.chunk.text).toContain('wire saws');
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'store-foreign' }));
    await alter(forge);
    const read = await project.read({ path: 'a.md', update: false });
    expect(JSON.stringify(read)).toContain('wire saws');
  });

  test('while the project is open, and the file is replaced as git does it', async () => {
    await indexed();
    const project = await open();
    await project.search('granite');
    await alter(forge, `${folder}/forged.sqlite`);
    for (const end of ['-wal', '-shm']) await rm(`${database()}${end}`, { force: true });
    await rename(`${folder}/forged.sqlite`, database());
    expect((await project.search('granite cut with saws')).hits[0]?.chunk.text).toContain('wire saws');
  });
});

test('so are tables of LanceDB in the project', async () => {
  const inFolder = { ...settings, 'store.driver': 'lancedb' };
  const theirs = await open(inFolder);
  for await (const _ of theirs.index());
  await theirs.close();
  home = await temporaryFolder({});
  const project = await open(inFolder);
  const { hits, warnings } = await project.search('granite cut with saws');
  expect(hits[0]?.chunk.text).toContain('wire saws');
  expect(warnings).toMatchObject([{ code: 'store-foreign' }]);
  expect(await project.status()).toMatchObject({ setAside: ['foreign-1'], counts: { documents: 2 } });
  expect((await project.search('slate')).warnings).toEqual([]);
});

test('of what was set aside the last three are kept, and clean removes them', async () => {
  await indexed();
  for (let time = 0; time < 5; time += 1) {
    await replaceBy('CREATE TABLE bookmarks (url)');
    await indexed();
  }
  const project = await open();
  expect(await project.status()).toMatchObject({ setAside: ['foreign-3', 'foreign-4', 'foreign-5'] });
  expect((await project.clean()).removed).toEqual(['foreign-3', 'foreign-4', 'foreign-5']);
  expect((await readdir(join(folder, '.quarry'))).filter((name) => name.startsWith('foreign-'))).toEqual([]);
});

test('two processes that find it set it aside once', async () => {
  await indexed();
  await replaceBy('CREATE TABLE bookmarks (url)');
  const projects = await Promise.all([open(), open(), open()]);
  const find = async (project: Project) => (await project.search('granite saws')).hits[0]?.chunk.text;
  await Promise.all(projects.map(find));
  // Where one builds it, others may have answered from what was there.
  for (const project of projects) await expect.poll(() => find(project)).toContain('wire saws');
  expect(await projects[0]?.status()).toMatchObject({ setAside: ['foreign-1'] });
});

test('a folder that was moved, copied, or restored from a backup keeps its index', async () => {
  await indexed();
  const made = (await stat(database())).mtimeMs;
  const moved = `${folder}-moved`;
  await rename(folder, moved);
  const copy = await temporaryFolder({});
  await cp(moved, copy, { recursive: true, preserveTimestamps: true });
  onTestFinished(() => rm(moved, { recursive: true }));
  for (const place of [moved, copy]) {
    folder = place;
    const project = await open();
    expect(await project.status()).toMatchObject({
      setAside: [],
      counts: { documents: 2 },
      changes: { added: 0 },
    });
    expect((await project.search('granite')).warnings).toEqual([]);
    await project.close();
  }
  expect((await stat(join(copy, '.quarry', 'index-1', 'index.sqlite'))).mtimeMs).toBeGreaterThanOrEqual(made);
});

function database(): string {
  return join(folder, '.quarry', 'index-1', 'index.sqlite');
}

async function open(given: Record<string, unknown> = settings): Promise<Project> {
  const place = home;
  const environment: Environment = (name) =>
    ['HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'QUARRY_CACHE_FOLDER'].includes(name) ? place : undefined;
  const project = await openProject(folder, { settings: given, environment });
  onTestFinished(() => project.close());
  return project;
}

async function indexed(options: { full?: boolean } = {}): Promise<IndexEvent[]> {
  const project = await open();
  const events: IndexEvent[] = [];
  for await (const event of project.index(options)) events.push(event);
  await project.close();
  return events;
}

async function defectsOf(project: Project): Promise<unknown[]> {
  const defects: unknown[] = [];
  for await (const defect of project.verify()) defects.push(defect);
  return defects;
}

async function alter(sql: string, copy?: string): Promise<void> {
  if (copy) await cp(database(), copy);
  const opened = new DatabaseSync(copy ?? database(), { defensive: false });
  opened.exec(sql);
  opened.close();
}

async function replaceBy(sql: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${database()}${end}`, { force: true });
  await alter(sql);
}
