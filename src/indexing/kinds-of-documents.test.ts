import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { putDocument } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';

const hashing = { 'embedder.driver': 'hashing' };
const day = 24 * 3600 * 1000;

async function index(project: Project): Promise<IndexSummary> {
  for await (const event of project.index()) if (event.type === 'index-end') return event.summary;
  throw new TypeError('no summary');
}
const documentsOf = async (project: Project) =>
  new Map((await (await project.store()).documents()).map((document) => [document.uri, document]));

test('types, origins and chunkers follow the globs of the settings', async () => {
  const folder = await temporaryFolder({
    'docs/decisions/1.md': '# Use SQLite\n\nBecause it is there.',
    'notes/today.md': 'Remember the milk.',
    'src/a.py': 'def f():\n    return 1\n',
    'list.txt': 'abcdefghij'.repeat(30),
  });
  const project = await openProject(folder, {
    settings: {
      ...hashing,
      types: { adr: ['docs/decisions/**'] },
      chunkers: { characters: ['*.txt'] },
      'chunking.by_characters.size': 100,
      'chunking.by_characters.overlap': 0,
    },
  });
  await index(project);
  const documents = await documentsOf(project);
  expect(documents.get('docs/decisions/1.md')).toMatchObject({ type: 'adr', origin: 'file' });
  expect(documents.get('notes/today.md')).toMatchObject({ type: 'note', origin: 'notes' });
  expect(documents.get('src/a.py')).toMatchObject({ type: 'code', metadata: { language: 'python' } });
  const list = documents.get('list.txt');
  const chunks = await chunksOf(await project.store(), list?.id ?? '');
  expect(chunks.map(({ span }) => span.end - span.start)).toEqual([100, 100, 100]);
  await project.close();
});

describe('age', () => {
  test('leaves out documents of a type that are too old, and those that become so', async () => {
    const folder = await temporaryFolder({
      'old.log': 'started',
      'new.log': 'started again',
      'old.md': 'kept',
    });
    const long = new Date(Date.now() - 100 * day);
    for (const name of ['old.log', 'old.md']) await utimes(join(folder, name), long, long);
    const settings = { ...hashing, max_age_days: { log: 60 } };
    const project = await openProject(folder, { settings });
    expect((await index(project)).skipped).toMatchObject({ 'too-old': 1 });
    expect(await (await project.store()).paths()).toEqual(['new.log', 'old.md']);
    await project.close();

    const stricter = await openProject(folder, { settings: { ...hashing, max_age_days: { log: 0 } } });
    expect((await index(stricter)).skipped).toMatchObject({ 'too-old': 2 });
    expect(await (await stricter.store()).paths()).toEqual(['old.md']);
    expect((await stricter.status()).skipped).toContainEqual(
      expect.objectContaining({ uri: 'new.log', detail: 'log older than 0 days (max_age_days)' }),
    );
    await expect(stricter.read({ place: 'new.log', update: false })).rejects.toMatchObject({
      message: '"new.log" is not in the index: too-old (log older than 0 days (max_age_days)).',
      remedy: 'Run quarry config set max_age_days.log=DAYS with more days to have it read.',
    });
    await stricter.close();
  });

  test('indexed documents age out without being touched', async () => {
    const folder = await temporaryFolder({ 'a.log': 'entry' });
    const project = await openProject(folder, { settings: { ...hashing, max_age_days: { log: 60 } } });
    await index(project);
    const store = await project.store();
    const [document] = await store.documents();
    const [entry] = (await store.manifest()).filter(({ uri }) => uri === 'a.log');
    if (!document || !entry) throw new TypeError('nothing indexed');
    await putDocument(store, {
      document: { ...document, modifiedAt: Date.now() - 61 * day },
      chunks: [],
      manifest: entry,
    });
    expect((await index(project)).skipped).toMatchObject({ 'too-old': 1 });
    expect(await store.paths()).toEqual([]);
    await project.close();
  });
});

describe('added content', () => {
  const talk = {
    name: 'talks/quarry.md',
    title: 'A talk on stone',
    type: 'note',
    text: '# Granite\n\nGranite is cut with wire saws.\n\n# Marble\n\nMarble is polished with tin oxide.',
    metadata: { speaker: 'Ada' },
  };

  test('is found like any file, survives runs, and can be replaced and removed', async () => {
    const project = await openProject(await temporaryFolder({ 'a.md': 'a file' }), { settings: hashing });
    const { uri } = await project.add(talk);
    expect(uri).toBe('virtual:talks/quarry.md');
    await index(project);
    const [hit] = (await project.search('wire saws granite')).hits;
    expect(hit?.document).toMatchObject({
      uri,
      origin: 'virtual',
      type: 'note',
      title: 'A talk on stone',
      metadata: { speaker: 'Ada' },
    });
    await project.add({ ...talk, text: 'Only slate now.' });
    expect((await project.search('granite saws', { denseWeight: 0 })).hits).toEqual([]);
    expect(await project.remove(uri)).toBe(1);
    expect(await (await project.store()).paths()).toEqual(['a.md']);
    await project.close();
  });

  test('is cut again when the settings change, with nothing lost', async () => {
    const folder = await temporaryFolder();
    const project = await openProject(folder, { settings: hashing });
    await project.add({
      ...talk,
      text: `${'Sentence about stone and water. '.repeat(60)}\n\nThe last word is zirconium.`,
    });
    await project.close();
    const smaller = {
      'chunking.sizes': 'characters',
      'chunking.by_characters.size': 160,
      'chunking.by_characters.overlap': 0,
    };
    const again = await openProject(folder, { settings: { ...hashing, ...smaller } });
    const { chunks } = await index(again);
    expect(chunks.total).toBeGreaterThan(8);
    const [hit] = (await again.search('zirconium')).hits;
    expect(hit?.chunk.text).toContain('The last word is zirconium.');
    expect(hit?.document).toMatchObject({ title: 'A talk on stone', metadata: { speaker: 'Ada' } });
    await again.close();
  });

  test('of a rich format is cut again from its text, not read as that format a second time', async () => {
    const cell = (source: string) => ({ cell_type: 'markdown', metadata: {}, source });
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [cell('# Basalt'), cell('List<String> of stones')],
    };
    const folder = await temporaryFolder();
    const project = await openProject(folder, { settings: hashing });
    await project.add({ name: 'n.ipynb', text: JSON.stringify(notebook) });
    await project.add({ name: 'p.html', text: '<h1>Slate</h1><p>Use List&lt;String&gt; for roofs.</p>' });
    await project.close();
    const again = await openProject(folder, { settings: { ...hashing, 'chunking.sizes': 'large' } });
    expect((await index(again)).documents).toMatchObject({ failed: 0, indexed: 2 });
    expect((await again.search('List String roofs')).hits[0]?.chunk.text).toContain('List<String>');
    await again.close();
  });

  test('has its secrets blacked out in text, title and metadata', async () => {
    const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
    const project = await openProject(await temporaryFolder(), { settings: hashing });
    await project.add({
      name: 'x',
      text: `the token is ${token} here`,
      title: `about ${token}`,
      metadata: { note: token },
    });
    const store = await project.store();
    const [document] = await store.documents();
    const chunks = await chunksOf(store, document?.id ?? '');
    expect(JSON.stringify([document, chunks])).not.toContain(token);
    expect(chunks[0]?.text).toMatch(/^the token is REDACTED█+ here$/);
    await project.close();
  });

  test.each([
    [{ name: '', text: 'x' }, 'usage-invalid'],
    [{ name: 'a\nb', text: 'x' }, 'usage-invalid'],
    [{ name: 'blank', text: ' \n ' }, 'document-unsupported'],
  ])('%j is refused', async (document, code) => {
    const project = await openProject(await temporaryFolder(), { settings: hashing });
    await expect(project.add(document)).rejects.toMatchObject({ code });
    await project.close();
  });
});
