import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { evaluateSet } from '../../src/evaluation/evaluate-set.ts';
import type { EvaluatedSet } from '../../src/evaluation/evaluation-result.ts';
import type { EvaluationSet } from '../../src/evaluation/evaluation-set.ts';
import type { Run } from '../../src/evaluation/plan-runs.ts';
import { temporaryFolder, writeFiles } from '../../test/temporary-folder.ts';
import { readCollection } from './collection.ts';
import { readPackageQuestions } from './packages.ts';

const jsonl = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const qrels = (...rows: [string, string, number][]) =>
  ['query-id\tcorpus-id\tscore', ...rows.map((row) => row.join('\t'))].join('\n');
const text: Run = { name: 'text', settings: { 'embedder.driver': 'hashing' }, denseWeight: 0 };

const fruit = {
  'corpus.jsonl': jsonl(
    { _id: 'apple', title: 'Apples', text: 'A red fruit that keeps the doctor away.' },
    { _id: '../../pear', title: '', text: 'A green fruit in the shape of a bulb.' },
  ),
  'queries.jsonl': jsonl(
    { _id: 'q1', text: 'doctor', category: 3 },
    { _id: 'q2', text: 'bulb' },
    { _id: 'q3', text: 'nobody judged this' },
  ),
  'qrels.tsv': qrels(['q1', 'apple', 1], ['q2', '../../pear', 2], ['q2', 'apple', 0]),
};

async function evaluated(set: EvaluationSet, runs: readonly Run[] = [text]): Promise<EvaluatedSet> {
  const work = evaluateSet(set, runs, { textOnly: true });
  let step = await work.next();
  while (!step.done) step = await work.next();
  return step.value;
}

/** The files that hold the documents of a corpus, as its index has them. */
async function filesOf(rows: readonly { readonly _id: string; readonly text: string }[]): Promise<string[]> {
  const folder = await temporaryFolder({
    'corpus.jsonl': jsonl(...rows),
    'queries.jsonl': jsonl({ _id: 'q', text: 'x' }),
    'qrels.tsv': qrels(['q', rows[0]?._id ?? '', 1]),
  });
  const set = await readCollection(folder, { cacheFolder: await temporaryFolder() });
  const result = await evaluated(set);
  expect(result.documents).toBe(rows.length);
  const opened = await set.parts[0]?.open(text.settings);
  const entries = (await opened?.project.manifest()) ?? [];
  await opened?.close();
  return entries
    .filter(({ status }) => status !== 'skipped')
    .map(({ uri }) => uri)
    .sort();
}

describe('a collection', () => {
  test('is indexed below the cache and asked; questions without a judgement are reported', async () => {
    const [folder, cacheFolder] = [await temporaryFolder(fruit), await temporaryFolder()];
    const result = await evaluated(await readCollection(folder, { cacheFolder }));
    expect(result).toMatchObject({
      documents: 2,
      unjudged: 1,
      warnings: ['Not asked for want of a label: 1 question.'],
    });
    expect(result.summaries[0]).toMatchObject({ questions: 2, scores: { ndcg_10: 1, hit_1: 1 } });
    expect(result.categories).toMatchObject([{ category: '3', questions: 1 }]);
    expect(result.questions[1]?.answers.text?.found[0]).toBe('../../pear');
    expect(await readdir(cacheFolder)).toEqual(['evaluation']);
  });

  test('is kept from run to run, and a changed corpus is noticed', async () => {
    const [folder, cacheFolder] = [await temporaryFolder(fruit), await temporaryFolder()];
    await evaluated(await readCollection(folder, { cacheFolder }));
    const [name = ''] = await readdir(join(cacheFolder, 'evaluation'));
    const [variant = ''] = await readdir(join(cacheFolder, 'evaluation', name));
    const texts = join(cacheFolder, 'evaluation', name, variant, 'scope-0', 'texts');
    expect(await readFile(join(texts, '0.txt'), 'utf8')).toBe(
      'Apples\n\nA red fruit that keeps the doctor away.',
    );
    const before = await stat(join(texts, '0.txt'));
    await writeFiles(folder, {
      'corpus.jsonl': jsonl({ _id: 'apple', title: 'Apples', text: 'Now a computer.' }),
    });
    const set = await readCollection(folder, { cacheFolder });
    const result = await evaluated(set);
    expect(await readFile(join(texts, '0.txt'), 'utf8')).toBe('Apples\n\nNow a computer.');
    expect((await readdir(texts)).sort()).toEqual(['.quarry', '.quarryignore', '0.txt']);
    expect(before.size).not.toBe((await stat(join(texts, '0.txt'))).size);
    expect(result.warnings).toContain(
      '"../../pear" is not a document here; the label is left out (question q2 "bulb"). Correct the path, or remove the label.',
    );
    expect(result.questions.map(({ id }) => id)).toEqual(['q1']);
  });

  test('with scopes asks each question among the documents of its own scope', async () => {
    const folder = await temporaryFolder({
      'corpus.jsonl': jsonl(
        { _id: 'a1', text: 'red apples', scope: 'a' },
        { _id: 'b1', text: 'red apples and more', scope: 'b' },
      ),
      'queries.jsonl': jsonl(
        { _id: 'q1', text: 'red apples', scope: 'b' },
        { _id: 'q2', text: 'red apples', scope: 'nowhere' },
      ),
      'qrels.tsv': qrels(['q1', 'b1', 1], ['q2', 'b1', 1]),
    });
    const result = await evaluated(await readCollection(folder, { cacheFolder: await temporaryFolder() }));
    expect(result.questions[0]?.answers.text?.found).toEqual(['b1']);
    expect(result.warnings).toEqual(['Not asked because their scope has no document: 1 question.']);
  });

  test('of code in several languages is written as such', async () => {
    const languages = ['python', 'Go', 'klingon', undefined];
    const rows = languages.map((lang, place) => ({ _id: `d${place}`, text: 'x', ...(lang && { lang }) }));
    expect(await filesOf(rows)).toEqual(['0.py', '1.go', '2.txt', '3.txt']);
  });

  test('whose ids are paths keeps them, also those that a project would leave out', async () => {
    const ids = [
      'src/store.ts',
      'node_modules/left-pad/index.js',
      'docs/guide.md',
      'Makefile',
      'dist/app.js',
    ];
    expect(await filesOf(ids.map((_id) => ({ _id, text: 'x' })))).toEqual([...ids].sort());
  });

  test('gives no document a path that means something else, or that another document has', async () => {
    const hostile = [
      '../outside.ts',
      '.gitignore',
      'quarry.toml',
      'C:/windows.ts',
      'a/.git/config.ts',
      '7.ts',
    ];
    const taken = ['src/a.ts', 'src/A.ts', 'src', 'src/a.ts/deeper.ts'];
    const sound = ['b.ts', 'c.ts', 'd.ts', 'e.ts', 'f.ts', 'g.ts', 'h.ts'];
    const ids = [...hostile, ...taken, ...sound];
    expect(await filesOf(ids.map((_id) => ({ _id, text: 'x' })))).toEqual(
      [
        '0.txt',
        '1.txt',
        '2.txt',
        '3.txt',
        '4.txt',
        '7.ts',
        'src/a.ts',
        '7.txt',
        '8.txt',
        '9.txt',
        ...sound,
      ].sort(),
    );
  });

  test('of notebooks as text is written as pages', async () => {
    const ids = ['tune/start.ipynb', 'guide.md', 'api.rst'];
    expect(await filesOf(ids.map((_id) => ({ _id, text: 'x' })))).toEqual([
      'api.rst',
      'guide.md',
      'tune/start.ipynb.md',
    ]);
  });

  test('asked by words alone makes no vectors, for its index or for the shared cache', async () => {
    const cacheFolder = await temporaryFolder();
    const set = await readCollection(await temporaryFolder(fruit), { cacheFolder });
    await evaluated(set, [{ name: 'text', settings: {}, denseWeight: 0 }]);
    const opened = await set.parts[0]?.open({});
    const status = await opened?.project.status({ compare: false });
    await opened?.close();
    expect(status?.counts).toMatchObject({ chunks: 2, embedded: 0 });
    expect(await readdir(cacheFolder)).toEqual(['evaluation']);
  });

  test.each([
    ['corpus.jsonl', '{"_id": "a"}', /corpus\.jsonl, line 1: text: /],
    [
      'corpus.jsonl',
      '{"_id": "a", "text": "x"}\n{"_id": "a", "text": "y"}',
      /line 2: the _id "a" stands twice/,
    ],
    ['queries.jsonl', '[1]', /queries\.jsonl, line 1: /],
    ['qrels.tsv', 'q1\tapple', /qrels\.tsv, line 1: is no question, document and grade/],
    ['qrels.tsv', 'q1\tapple\tmuch', /qrels\.tsv, line 1: /],
  ])('with a bad line in %s names it', async (name, content, message) => {
    const folder = await temporaryFolder({ ...fruit, [name]: content });
    await expect(readCollection(folder, { cacheFolder: await temporaryFolder() })).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringMatching(message),
    });
  });

  test('stops when it is cancelled', async () => {
    const set = await readCollection(await temporaryFolder(fruit), { cacheFolder: await temporaryFolder() });
    const stop = new AbortController();
    const work = evaluateSet(set, [text], { textOnly: true, signal: stop.signal });
    await expect(async () => {
      for (let step = await work.next(); !step.done; step = await work.next())
        if (step.value.type === 'questions-answered') stop.abort();
    }).rejects.toMatchObject({ code: 'interrupted' });
  });
});

describe('questions about packages', () => {
  const question = { _id: 'q', package: 'a@1.0.0', root: 'lib', text: 'x', relevant: [{ path: 'lib/a.js' }] };

  test.each([
    ['an address for a package', { package: 'https://example.com/x.tgz' }],
    ['a flag for a package', { package: '--registry=x@1' }],
    ['a package without a version', { package: 'express' }],
    ['a root outside the package', { root: '../../etc' }],
    ['an absolute root', { root: '/etc' }],
  ])('with %s are refused before anything is fetched', async (_, change) => {
    const folder = await temporaryFolder({ 'queries.jsonl': jsonl({ ...question, ...change }) });
    const reading = readPackageQuestions(folder, { cacheFolder: await temporaryFolder() });
    await expect(reading).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('line 1'),
    });
  });
});
