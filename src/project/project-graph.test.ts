import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from './open-project.ts';

const files = {
  'src/store.ts': `export interface Store {
  find(key: string): Promise<string>;
}
export async function openStore(path: string): Promise<Store> {
  return new FileStore(path);
}
export class FileStore implements Store {
  constructor(readonly path: string) {}
  async find(key: string) { return normalise(key); }
}
function normalise(key: string): string { return key.trim(); }
`,
  'src/index.ts': `export { openStore as open } from './store.ts';\nexport * from './cache.ts';\n`,
  'src/cache.ts': `import type { Store } from './store.ts';
export class Cache {
  constructor(private readonly store: Store) {}
  get(key: string) { return this.store.find(key); }
}
`,
  'src/main.ts': `import { open, Cache } from './index.ts';
export async function main() {
  const store = await open('x');
  const cache = new Cache(store);
  unknown.find('z');
  return cache.get('a') ?? store.find('b');
}
`,
  'test/cache.test.ts': `import { Cache } from '../src/cache.ts';\ntest('finds', () => new Cache(fake).get('a'));\n`,
  'README.md':
    '# Tea\n\nSet `brew_seconds`.\n\n## Black\n\nFour minutes.\n\n## Green\n\nTwo minutes, says `Cache`.\n',
  'py/shapes.py': `from .sizes import size\n\nclass Circle:\n    def area(self):\n        return size(self)\n`,
  'py/sizes.py': `def size(shape):\n    return len(shape)\n`,
  'py/__init__.py': '',
};

const settings = { 'embedder.driver': 'hashing' };
const open: Project[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.close();
});

async function projectOf(given: Readonly<Record<string, string>> = files, folder?: string): Promise<Project> {
  const project = await openProject(folder ?? (await temporaryFolder(given)), { settings });
  open.push(project);
  return project;
}

const graphFile = ({ folder }: Project) => join(folder, '.quarry', 'graph', 'graph.sqlite');
type Mentions = Awaited<ReturnType<Project['graph']['references']>>;
const shown = ({ mentions }: Mentions) =>
  mentions.map(({ uri, line, kind, certainty }) => `${certainty} ${kind} ${uri}:${line}`);

/** The events of a whole run, by type. */
async function index(project: Project, full = false): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of project.index({ full })) types.push(type);
  return types;
}

describe('references', () => {
  test('are found through other names, other files that pass them on, and the types of values', async () => {
    const { graph } = await projectOf();
    expect(shown(await graph.callers('openStore'))).toEqual(['certain call src/main.ts:3']);
    expect(shown(await graph.callers('Store.find'))).toEqual([
      'certain call src/cache.ts:4',
      'certain call src/main.ts:6',
    ]);
    expect(shown(await graph.callers('Cache'))).toEqual([
      'certain call src/main.ts:4',
      'certain call test/cache.test.ts:2',
    ]);
  });

  test('of what stands for an interface are possible where the interface is called', async () => {
    const { graph } = await projectOf();
    const found = await graph.callers('FileStore.find');
    expect(shown(found)).toEqual(['possible call src/cache.ts:4', 'possible call src/main.ts:6']);
    expect(found.counts).toEqual({ certain: 0, possible: 2 });
  });

  test('have the line and the definition around them', async () => {
    const { graph } = await projectOf();
    const [first] = (await graph.callers('openStore')).mentions;
    expect(first).toMatchObject({
      text: "const store = await open('x');",
      within: { name: 'main', lines: [2, 7] },
    });
  });

  test('leave out tests where they are not wanted, and are as many as are asked for', async () => {
    const { graph } = await projectOf();
    expect((await graph.references('Cache', { tests: false })).mentions.map(({ uri }) => uri)).not.toContain(
      'test/cache.test.ts',
    );
    const one = await graph.references('Cache', { limit: 1 });
    expect([one.mentions.length, one.counts.certain]).toEqual([1, 4]);
  });

  test('of a name that nothing defines are the places where it stands, in code and in texts', async () => {
    const { graph } = await projectOf();
    expect(shown(await graph.references('brew_seconds'))).toEqual(['certain text README.md:3']);
    expect(shown(await graph.references('trim'))).toEqual(['certain call src/store.ts:11']);
  });

  test('of an unknown name are an error that lists the nearest', async () => {
    const { graph } = await projectOf();
    await expect(graph.references('openStroe')).rejects.toMatchObject({
      code: 'document-not-found',
      remedy: expect.stringContaining('openStore'),
    });
  });

  test('tell a type from the value that shares its name, and a plain name from a method beside it', async () => {
    const { graph } = await projectOf({
      'a.ts': `export interface Shape { size: number }
export const Shape = make();
export const $wrap = (value: unknown) => value;
function make() { return { make() { return make(); } }; }
`,
      'b.ts': `import { Shape, $wrap } from './a.ts';\nexport const b: Shape = $wrap(Shape(1));\n`,
    });
    const { mentions } = await graph.references('Shape', { kind: 'type' });
    expect(mentions.map(({ line, kind }) => `${kind} ${line}`)).toEqual(['type 2']);
    expect(shown(await graph.callers('$wrap'))).toEqual(['certain call b.ts:2']);
    expect(shown(await graph.callers('make')).sort()).toEqual(['certain call a.ts:2', 'certain call a.ts:4']);
  });

  test('through what something from outside gives are possible, and none is left out', async () => {
    const { graph } = await projectOf({
      'a.py': `import typing as t\n\nclass Box:\n    def open(self):\n        pass\n    def close_box(self):\n        pass\n\nclass Shelf:\n    boxes: t.Dict[str, Box]\n    current = None\n    def use(self):\n        self.boxes.get("a").open()\n        self.current.close_box()\n`,
    });
    expect(shown(await graph.callers('Box.open'))).toEqual(['possible call a.py:13']);
    expect(shown(await graph.callers('close_box'))).toEqual(['certain call a.py:14']);
  });

  test('of Python are found through packages', async () => {
    const { graph } = await projectOf();
    expect(shown(await graph.callers('size'))).toEqual(['certain call py/shapes.py:5']);
  });
});

test('what a definition calls is listed with what is not of the project', async () => {
  const { graph } = await projectOf();
  const { callees, foreign } = await graph.callees('main');
  expect(
    callees.map(({ name, uri, certainty, calledAt }) => `${certainty} ${name} ${uri} ${calledAt}`),
  ).toEqual([
    'certain openStore src/store.ts 3',
    'certain Cache src/cache.ts 4',
    'certain get src/cache.ts 6',
    'certain find src/store.ts 6',
  ]);
  expect(foreign).toEqual(['find']);
});

describe('an outline', () => {
  test('of code has its definitions, each with a place that can be read', async () => {
    const project = await projectOf();
    const { entries } = await project.graph.outline('src/cache.ts');
    expect(entries.map(({ depth, kind, name }) => `${depth} ${kind} ${name}`)).toEqual([
      '0 class Cache',
      '1 method constructor',
      '1 property store',
      '1 method get',
    ]);
    expect(entries.at(-1)?.citation).toBe('src/cache.ts:4');
  });

  test('of another file has its headings, and says so where there are none', async () => {
    const { graph } = await projectOf({ ...files, 'plain.txt': 'Only a text.\n' });
    expect((await graph.outline('README.md')).entries.map(({ name }) => name)).toContain('Green');
    const plain = await graph.outline('plain.txt');
    expect([plain.entries, plain.warnings[0]?.code]).toEqual([[], 'document-unsupported']);
    await expect(graph.outline('none.ts')).rejects.toMatchObject({ code: 'document-not-found' });
  });
});

test('what is related to a place or a file has its tests and the files around it', async () => {
  const { graph } = await projectOf();
  const place = await graph.related('src/cache.ts:4');
  expect([place.definitions[0]?.name, place.tests]).toEqual(['get', ['test/cache.test.ts']]);
  const file = await graph.related('src/cache.ts');
  expect(file.imports).toEqual(['src/store.ts']);
  expect(file.importedBy).toEqual(['src/main.ts', 'test/cache.test.ts']);
  expect(file.callers.map(({ uri }) => uri)).toEqual(['src/main.ts', 'src/main.ts']);
});

test('facts of places are a short line each', async () => {
  const { graph } = await projectOf();
  await graph.references('Cache');
  expect(await graph.facts(['src/cache.ts:4', 'README.md:1'])).toEqual([
    'called by main src/main.ts:6; calls find; tested in test/cache.test.ts',
    '',
  ]);
});

test('facts are none as long as the graph has not read the code, and asking for them reads none', async () => {
  const { graph, folder } = await projectOf();
  await graph.references('Cache');
  rmSync(join(folder, '.quarry', 'graph'), { recursive: true });
  expect(await graph.facts(['src/cache.ts:4'])).toEqual(['']);
  await graph.references('Cache');
  expect((await graph.facts(['src/cache.ts#Cache.get']))[0]).toContain('called by');
});

test('the outline of a folder has each file with what it defines, members behind their class', async () => {
  const { graph } = await projectOf();
  const { uri, entries } = await graph.outline('src/');
  expect(uri).toBe('src');
  expect(entries.filter(({ kind }) => kind === 'file').map(({ name }) => name)).toEqual(
    entries.filter(({ depth }) => depth === 0).map(({ citation }) => citation),
  );
  expect(entries.map(({ depth, name }) => `${depth} ${name}`)).toEqual(
    expect.arrayContaining(['0 src/cache.ts', '1 Cache', '2 get']),
  );
  expect((await graph.outline('.')).entries.map(({ name }) => name)).toContain('test/cache.test.ts');
  await expect(graph.outline('sr')).rejects.toMatchObject({ code: 'document-not-found' });
});

test('a file that is not there is missed as a file, and one is known by the end of its path', async () => {
  const { graph } = await projectOf();
  await expect(graph.related('notes.md')).rejects.toMatchObject({
    message: 'There is no "notes.md" in the index.',
  });
  await expect(graph.related('src/cachee.ts')).rejects.toMatchObject({
    remedy: expect.stringContaining('src/cache.ts'),
  });
  expect((await graph.related('cache.ts')).importedBy).toContain('src/main.ts');
});

describe('the graph follows the files', () => {
  test('when they change, move and go', async () => {
    const project = await projectOf();
    const { graph, folder } = project;
    await graph.references('Cache');
    await writeFiles(folder, { 'src/main.ts': `import { openStore } from './store.ts';\nopenStore('y');\n` });
    renameSync(join(folder, 'src/cache.ts'), join(folder, 'src/kept.ts'));
    rmSync(join(folder, 'test'), { recursive: true });
    expect(shown(await graph.callers('openStore'))).toEqual(['certain call src/main.ts:2']);
    expect((await graph.references('Cache')).definitions.map(({ uri }) => uri)).toEqual(['src/kept.ts']);
    expect(shown(await graph.callers('Cache'))).toEqual([]);
  });

  test('of an index that was made before there was a graph, without cutting or embedding again', async () => {
    const project = await projectOf();
    await index(project);
    rmSync(join(project.folder, '.quarry', 'graph'), { recursive: true });
    const types = await index(project);
    expect(types).toContain('code-read');
    expect(types).not.toContain('document-indexed');
    expect(types).not.toContain('vectors-added');
    expect(existsSync(graphFile(project))).toBe(true);
    expect((await project.graph.callers('openStore', { update: false })).counts.certain).toBe(1);
  });

  test('where a run was killed between both commits: what is missing is read, what is of before is not shown', async () => {
    const project = await projectOf();
    await index(project);
    await project.close();
    const database = new DatabaseSync(graphFile(project));
    database.exec(`UPDATE documents SET hash = 'before' WHERE uri = 'src/main.ts'`);
    database.close();
    const again = await projectOf(files, project.folder);
    expect(shown(await again.graph.callers('openStore', { update: false }))).toEqual([
      'certain call src/main.ts:3',
    ]);
  });

  test('in two processes that write at once', async () => {
    const first = await projectOf();
    const second = await projectOf(files, first.folder);
    await Promise.all([index(first), index(second, true)]);
    for (const { graph } of [first, second])
      expect((await graph.callers('openStore')).counts.certain).toBe(1);
  });

  test('and goes with the index', async () => {
    const project = await projectOf();
    await index(project);
    await project.clean({ all: true });
    expect(existsSync(join(project.folder, '.quarry'))).toBe(false);
    expect((await project.graph.callers('openStore')).counts.certain).toBe(1);
  });

  test('without secrets where the index has none', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLQ';
    const project = await projectOf({
      'a.ts': `export const key = '${secret}';\nexport function use(k = '${secret}') {}\n`,
    });
    await index(project);
    await project.close();
    expect(readFileSync(graphFile(project)).includes(secret)).toBe(false);
  });
});

describe('a graph that cannot be kept', () => {
  test('keeps nobody from indexing; a question to it fails with the reason', async () => {
    const project = await projectOf();
    const elsewhere = await temporaryFolder({});
    mkdirSync(join(project.folder, '.quarry'), { mode: 0o700 });
    symlinkSync(elsewhere, join(project.folder, '.quarry', 'graph'));
    expect(await index(project)).toContain('index-end');
    expect((await project.search('tea', { update: false })).hits.length).toBeGreaterThan(0);
    await expect(project.graph.references('Cache')).rejects.toMatchObject({ code: 'path-unsafe' });
  });
});

test('a disabled project and a closed one answer nothing, and leave nothing behind', async () => {
  const folder = await temporaryFolder(files);
  const off = await openProject(folder, { settings: { ...settings, enabled: false } });
  await expect(off.graph.references('Cache')).rejects.toMatchObject({ code: 'project-disabled' });
  expect(existsSync(join(folder, '.quarry'))).toBe(false);
  const project = await projectOf();
  await project.close();
  await expect(project.graph.references('Cache')).rejects.toMatchObject({ code: 'usage-invalid' });
});

test('classes that all inherit from each other are gone through once, and a busy graph fails no run', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `C${at}`);
  const classes = names.map(
    (name) =>
      `class ${name}(${names.filter((each) => each !== name).join(', ')}):\n    def of${name}(self):\n        return self.zzz()\n`,
  );
  const project = await projectOf({
    'circle.py': classes.join('\n'),
    'other.py': 'class Other:\n    def zzz(self):\n        return 1\n',
  });
  const { mentions } = await project.graph.references('zzz');
  expect(mentions.length).toBeGreaterThan(0);
  const holder = new DatabaseSync(graphFile(project));
  holder.exec('BEGIN IMMEDIATE');
  await writeFiles(project.folder, { 'late.py': 'def late():\n    return 1\n' });
  const failed: string[] = [];
  for await (const event of project.index()) if (event.type === 'document-failed') failed.push(event.uri);
  holder.exec('ROLLBACK');
  holder.close();
  expect(failed).toEqual([]);
  expect((await project.search('late')).hits[0]?.document.uri).toBe('late.py');
});
