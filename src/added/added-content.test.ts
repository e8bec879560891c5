import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { StoreDefect } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { keptFileName } from '../core/documents/kept-content.ts';
import type { IndexEvent } from '../core/events.ts';
import { deletePaths } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';

const hashing = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const note = {
  name: 'talks/stone.md',
  title: 'A talk on stone',
  type: 'note',
  text: '# Granite\n\nGranite is cut with wire saws.',
  metadata: { speaker: 'Ada' },
};
const uri = 'virtual:talks/stone.md';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder({ 'a.md': 'A page about slate.' });
});

describe('added content is there again, as it was,', () => {
  const smaller = {
    'chunking.sizes': 'characters',
    'chunking.by_characters.size': 160,
    'chunking.by_characters.overlap': 0,
  };
  test.each<[string, (project: Project) => Promise<unknown>, Record<string, unknown>?]>([
    ['a repair of an index that cannot be read', async () => ruinIndex()],
    ['the whole index was removed', (project) => project.clean({ all: true })],
    ['the folder of the index was deleted', () => rm(join(folder, '.quarry'), { recursive: true })],
    ['every file was read again', (project) => indexed(project, { full: true })],
    ['it was kept, and its process was killed before it was indexed', (project) => takeOut(project, uri)],
    ['the settings that cut documents changed', async () => {}, smaller],
    ['another engine took the place of the store', async () => {}, { 'store.driver': 'memory' }],
  ])('after %s', async (_, damage, settings) => {
    const project = await open();
    await project.add(note);
    const [before] = await added(project);
    await damage(project);
    await project.close();
    const again = await open(settings);
    await indexed(again).catch(() => repaired(again));
    const [after] = await added(again);
    expect(after).toEqual(before);
    expect((await again.search('wire saws')).hits[0]?.document.uri).toBe(uri);
  });

  test('where only the index of an earlier version holds it, whatever happens first', async () => {
    for (const happens of [
      (project: Project) => indexed(project),
      (project: Project) => project.clean({ all: true }),
      repaired,
    ]) {
      const project = await withoutKeptFile();
      await happens(project);
      await rm(join(folder, '.quarry'), { recursive: true, force: true });
      await indexed(project);
      expect(await added(project)).toMatchObject([{ uri, title: note.title, metadata: note.metadata }]);
      await project.close();
    }
  });

  test('by a repair that says so', async () => {
    const project = await open();
    await project.add(note);
    await project.close();
    await ruinIndex();
    const again = await open();
    const events: IndexEvent[] = [];
    expect(await repaired(again, events)).toMatchObject({ rebuilt: true, lost: [] });
    expect(events).toContainEqual({ type: 'document-indexed', uri, chunks: 1 });
  });

  test('from an index that cannot be written at that moment', async () => {
    const first = await open();
    await indexed(first);
    await first.close();
    await ruinIndex();
    const project = await open();
    expect(await project.add(note)).toMatchObject({ uri, warnings: [{ code: 'store-corrupt' }] });
    await repaired(project);
    expect(await added(project)).toMatchObject([{ uri }]);
  });
});

describe('a kept file that is damaged', () => {
  const damages: [string, (path: string) => Promise<void>][] = [
    ['in its text', async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('wire', 'iron'))],
    [
      'in its description',
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('Ada', 'Bob')),
    ],
    ['from its beginning', async (path) => writeFile(path, `\0${await readFile(path, 'utf8')}`)],
    ['to its end', (path) => truncate(path, 20)],
    ['to nothing', (path) => truncate(path, 0)],
  ];

  test.each(damages)('%s is found by verify and written again from the index', async (_, damage) => {
    const project = await open();
    await project.add(note);
    await damage(keptFile());
    expect(await defectsOf(project)).toMatchObject([
      { kind: 'content', detail: expect.stringContaining(keptFileName(uri)) },
    ]);
    const events = await indexed(project);
    expect(events.filter(({ type }) => type === 'root-failed' || type === 'document-failed')).toHaveLength(1);
    expect(await added(project)).toHaveLength(1);
    expect(await repaired(project)).toMatchObject({ repaired: [{ kind: 'content', uri }], lost: [] });
    expect(await defectsOf(project)).toEqual([]);
    expect(await added(project)).toMatchObject([{ uri, title: note.title, metadata: note.metadata }]);
    expect((await project.search('wire saws')).hits[0]?.document.uri).toBe(uri);
  });

  test('together with the index is listed with its reason, and stays for a person to look at', async () => {
    const project = await open();
    await project.add(note);
    await project.close();
    await truncate(keptFile(), 150);
    await ruinIndex();
    const again = await open();
    expect(await repaired(again)).toMatchObject({
      lost: [{ kind: 'content', detail: expect.stringContaining('does not have the hash') }],
    });
    expect(await indexed(again)).toContainEqual(expect.objectContaining({ type: 'root-failed' }));
    expect(await readdir(join(folder, '.quarry-added'))).toContain(keptFileName(uri));
    await again.add(note);
    expect(await defectsOf(again)).toEqual([]);
  });
});

describe('adding', () => {
  test('keeps nothing that the index refuses, and indexes nothing that cannot be kept', async () => {
    const project = await open();
    await expect(project.add({ name: 'blank', text: ' ' })).rejects.toMatchObject({
      code: 'document-unsupported',
    });
    expect(await readdir(folder)).toEqual(['a.md']);
    await writeFile(join(folder, '.quarry-added'), 'in the way');
    await expect(project.add(note)).rejects.toMatchObject({ code: 'path-unsafe' });
    expect(await (await project.store()).paths()).toEqual([]);
  });

  test('under the same name replaces, also where only the title is new', async () => {
    const project = await open();
    expect(await project.add(note)).toMatchObject({ replaced: false });
    expect(await project.add({ ...note, title: 'Another' })).toMatchObject({ replaced: true });
    await indexed(project);
    expect(await added(project)).toMatchObject([{ title: 'Another' }]);
    expect(await keptNames()).toHaveLength(1);
  });

  test('gives every name a file of its own, whatever the name is', async () => {
    const names = [
      '../../x',
      '/etc/x',
      'C:\\x',
      'A.md',
      'a.md',
      'é',
      'e\u0301',
      'x'.repeat(9000),
      'con',
      '. ',
      '%00',
    ];
    const project = await open();
    for (const name of names) await project.add({ name, text: `The text of ${names.indexOf(name)}.` });
    await project.clean({ all: true });
    await indexed(project);
    expect((await added(project)).map((document) => document.uri).sort()).toEqual(
      names.map((name) => `virtual:${name}`).sort(),
    );
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['.quarry', '.quarry-added', 'a.md']));
    expect(await keptNames()).toHaveLength(names.length);
  });

  test.each(['\0', 'a\nb', '\ud800', ' '])('refuses the name %j', async (name) => {
    const project = await open();
    await expect(project.add({ name, text: 'text' })).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test('refuses more than a file may have, but keeps what was added when the limit is lowered', async () => {
    const project = await open({ 'index.max_file_bytes': 1000 });
    const text = 'Granite. '.repeat(100);
    await expect(project.add({ ...note, text: text + text })).rejects.toMatchObject({
      code: 'document-unsupported',
    });
    await project.add({ ...note, text });
    await project.close();
    await rm(join(folder, '.quarry'), { recursive: true });
    const lower = await open({ 'index.max_file_bytes': 10 });
    await indexed(lower);
    expect(await added(lower)).toHaveLength(1);
  });

  test('writes no secret anywhere, whatever hides it', async () => {
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const encoded = Buffer.from(`The token is ${token} here.\n`).toString('base64');
    const head =
      'From: a@example.org\nSubject: Key\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8';
    const project = await open();
    const said = { title: token, metadata: { key: token, keys: [token] } };
    await project.add({ name: 'plain', text: `the token is ${token} here`, ...said });
    await project.add({ name: 'page.html', text: `<p>Stone</p><!-- ${token} -->` });
    await project.add({ name: 'a.eml', text: `${head}\nContent-Transfer-Encoding: base64\n\n${encoded}` });
    const hidden = await added(project);
    expect(hidden).toHaveLength(3);
    for (const name of await keptNames()) {
      const text = await readFile(join(folder, '.quarry-added', name), 'utf8');
      expect(text).not.toContain(token);
      expect(text).not.toContain(encoded.slice(0, 40));
    }
    await project.clean({ all: true });
    await indexed(project);
    expect((await project.search('the token is here')).hits.length).toBeGreaterThan(0);
  });

  test('by several at once leaves the index with what is kept', async () => {
    const projects = await Promise.all([open(), open(), open()]);
    const versions = Array.from({ length: 12 }, (_, number) => `Version ${number} of the stone.`);
    await Promise.all(versions.map((text, at) => projects[at % 3]?.add({ ...note, text })));
    const [first] = projects;
    const kept = await readFile(keptFile(), 'utf8');
    const hits =
      (await first?.search('version of the stone', { filter: { origins: ['virtual'] } }))?.hits ?? [];
    expect(hits).toHaveLength(1);
    expect(kept.endsWith(`\n${hits[0]?.chunk.text}`)).toBe(true);
  });

  test('while a run is going on is not undone by what the run has read before', async () => {
    const [running, other] = [await open(), await open()];
    await other.add(note);
    await takeOut(other, uri);
    await afterReading(running, () => other.add({ ...note, text: 'Slate is split by hand.' }));
    await indexed(running);
    expect((await running.search('slate split')).hits[0]?.chunk.text).toBe('Slate is split by hand.');
  });

  test('in a project that is disabled says that nothing was kept', async () => {
    await writeFile(join(folder, 'quarry.toml'), 'enabled = false');
    expect(await (await open()).add(note)).toMatchObject({ warnings: [{ code: 'project-disabled' }] });
  });
});

describe('removing', () => {
  test('is for good, and leaves other content', async () => {
    const project = await open();
    await project.add(note);
    await project.add({ name: 'other', text: 'Another text.' });
    expect(await project.remove(uri, uri, 'virtual:nothing')).toBe(1);
    await indexed(project, { full: true });
    await project.clean({ all: true });
    await indexed(project);
    expect(await added(project)).toMatchObject([{ uri: 'virtual:other' }]);
    expect(await keptNames()).toEqual([keptFileName('virtual:other')]);
  });

  test('works without an index, and leaves no trace of one', async () => {
    const project = await open();
    await project.add(note);
    await project.clean({ all: true });
    expect(await project.remove(uri)).toBe(1);
    expect(await project.remove(uri)).toBe(0);
    expect(await readdir(folder)).not.toContain('.quarry');
  });

  test('while a run is going on is not undone by what the run has read before', async () => {
    const [running, other] = [await open(), await open()];
    await other.add(note);
    await takeOut(other, uri);
    await afterReading(running, () => other.remove(uri));
    await indexed(running);
    await indexed(running);
    expect(await added(running)).toEqual([]);
    expect(await keptNames()).toEqual([]);
  });
});

async function open(settings: Record<string, unknown> = {}): Promise<Project> {
  const project = await openProject(folder, { settings: { ...hashing, ...settings } });
  onTestFinished(() => project.close());
  return project;
}

async function indexed(project: Project, options = {}): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  for await (const event of project.index(options)) events.push(event);
  return events;
}

async function repaired(project: Project, events: IndexEvent[] = []) {
  const work = project.repair();
  for (;;) {
    const { done, value } = await work.next();
    if (done) return value;
    events.push(value);
  }
}

async function added(project: Project): Promise<DocumentRecord[]> {
  return (await project.store()).documents({ origins: ['virtual'] });
}

async function defectsOf(project: Project): Promise<StoreDefect[]> {
  const defects: StoreDefect[] = [];
  for await (const defect of project.verify()) defects.push(defect);
  return defects;
}

const keptFile = () => join(folder, '.quarry-added', keptFileName(uri));

async function keptNames(): Promise<string[]> {
  const names = await readdir(join(folder, '.quarry-added')).catch(() => []);
  return names.filter((name) => name !== '.gitignore');
}

/** Takes a document out of the index alone, as if it had never come there. */
async function takeOut(project: Project, gone: string): Promise<void> {
  await deletePaths(await project.store(), [gone]);
}

/** A project whose index holds added content that is kept nowhere else. */
async function withoutKeptFile(): Promise<Project> {
  const project = await open();
  await project.add(note);
  await rm(join(folder, '.quarry-added'), { recursive: true });
  return project;
}

/** Does something once, when a run has read a document and is about to commit it. */
async function afterReading(project: Project, act: () => Promise<unknown>): Promise<void> {
  const store = await project.store();
  const commit = store.commit.bind(store);
  vi.spyOn(store, 'commit').mockImplementation(async (changes) => {
    if (changes.documents?.some(({ document }) => document.uri === uri)) {
      vi.mocked(store.commit).mockRestore();
      await act();
    }
    return commit(changes);
  });
}

/** Leaves nothing of the index that could be read. */
async function ruinIndex(): Promise<void> {
  const state = join(folder, '.quarry');
  for (const name of (await readdir(state)).filter((each) => each.startsWith('index-'))) {
    await rm(join(state, name), { recursive: true });
    await mkdir(join(state, name));
    await writeFile(join(state, name, 'index.sqlite'), 'no index at all '.repeat(1000));
  }
}
