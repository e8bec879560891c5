import { describe, expect, test } from 'vitest';
import type { JudgedQuestion, Label, LineRange } from './judgement.ts';
import { labelProblem, labelWarnings } from './label-problem.ts';
import { checkLines, type KnownDocument, resolveLabels } from './resolve-labels.ts';

const isMeant = (path: string, uri: string) => uri === path || uri.endsWith(`/${path}`);
const question = (...labels: Label[]): JudgedQuestion => ({ id: 'q', text: 'what?', labels });
const known = (...documents: (string | KnownDocument)[]) =>
  new Map<string, KnownDocument>(
    documents
      .map((document) =>
        typeof document === 'string' ? { uri: document, status: 'indexed' as const } : document,
      )
      .map((document) => [document.uri, document]),
  );

describe('labels', () => {
  const all = known('src/a.ts', 'lib/a.ts', 'a.ts', 'docs/b.md', { uri: 'big.bin', status: 'skipped' });
  const resolved = (documents: typeof all, ...paths: string[]) =>
    resolveLabels(question(...paths.map((path) => ({ path, grade: 1 }))), { isMeant }, documents);

  test('mean the document of that very path, else those that end with it', () => {
    expect([...(resolved(all, 'a.ts').labels[0]?.uris ?? [])]).toEqual(['a.ts']);
    expect([...(resolved(all, 'b.md').labels[0]?.uris ?? [])]).toEqual(['docs/b.md']);
    expect(resolved(all, 'a.ts', 'b.md').problems).toEqual([]);
  });

  test('that are nowhere are left out and reported; those of files that are not indexed count as not found', () => {
    const { labels, problems } = resolved(all, 'gone.ts', 'big.bin', 'b.md');
    expect(labels.map(({ uris }) => [...uris])).toEqual([['big.bin'], ['docs/b.md']]);
    expect(labelWarnings(problems)).toEqual([
      '"gone.ts" is not a document here; the label is left out (question q "what?"). Correct the path, or remove the label.',
      '"big.bin" is not in the index, so it counts as not found (question q "what?"). See why: quarry status --skipped',
    ]);
  });

  test('of a document without a chunk count as not found', () => {
    const { labels, problems } = resolved(known({ uri: 'a.html', status: 'indexed', chunks: 0 }), 'a.html');
    expect(labels).toHaveLength(1);
    expect(problems).toMatchObject([{ kind: 'unindexed', label: 'a.html' }]);
  });

  test('that stand twice are one, with the higher grade', () => {
    const labels = [
      { path: 'b.md', grade: 2 },
      { path: 'docs/b.md', grade: 1 },
    ];
    expect(resolveLabels(question(...labels), { isMeant }, all).labels).toMatchObject([
      { path: 'b.md', grade: 2 },
    ]);
  });

  test('that could mean several documents are reported, with the questions they belong to', () => {
    const { problems } = resolved(known('src/a.ts', 'lib/a.ts'), 'a.ts');
    const many = ['q1', 'q2', 'q3', 'q4'].flatMap((id) => problems.map((own) => ({ ...own, question: id })));
    expect(labelWarnings(many)).toEqual([
      '"a.ts" is the end of several paths; any of them counts (questions q1 "what?", q2 "what?", q3 "what?" and 1 more). Write more of the path to mean one of them.',
    ]);
  });
});

describe('labels for lines', () => {
  const chunks: Record<string, readonly LineRange[]> = {
    'a.md': [
      [1, 4],
      [8, 12],
    ],
    'x/a.md': [[1, 40]],
    'cut.md': [[1, 5]],
  };
  const documents = known(
    'a.md',
    'x/a.md',
    { uri: 'cut.md', status: 'indexed', reason: 'degraded' },
    { uri: 'big.md', status: 'skipped' },
  );
  const checked = async (path: string, lines: LineRange, among = documents) => {
    const asked = question({ path, grade: 1, lines });
    const resolved = resolveLabels(asked, { isMeant }, among);
    const linesOf = async (uri: string) => chunks[uri] ?? [];
    const { labels, problems } = await checkLines(asked, resolved, among, linesOf);
    return { kept: labels.length, problems };
  };

  test('that touch a chunk are as they should be, also where they reach beyond the end', async () => {
    expect(await checked('a.md', [4, 6])).toEqual({ kept: 1, problems: [] });
    expect(await checked('a.md', [12, 99])).toEqual({ kept: 1, problems: [] });
  });

  test('beyond the end of the text are left out and reported, with the question and a remedy', async () => {
    const { kept, problems } = await checked('a.md', [13, 20]);
    expect(kept).toBe(0);
    expect(problems).toEqual([
      {
        kind: 'beyond',
        label: 'a.md:13-20',
        question: 'q',
        text: 'what?',
        problem: 'lies beyond the end of the text, which is line 12; the label is left out',
        remedy: 'Correct the lines (quarry search shows them), or remove the label.',
      },
    ]);
  });

  test('that no chunk covers count as not found, and are reported', async () => {
    expect(await checked('a.md', [6, 6])).toMatchObject({
      kept: 1,
      problems: [{ kind: 'uncovered', label: 'a.md:6' }],
    });
  });

  test('of a text that is not there as a whole count as not found: the end is not known', async () => {
    expect(await checked('cut.md', [90, 95])).toMatchObject({ kept: 1, problems: [{ kind: 'uncovered' }] });
  });

  test('of a file whose format has no lines count as not found', async () => {
    expect(await checked('a.pdf', [3, 4], known('a.pdf'))).toMatchObject({
      kept: 1,
      problems: [{ kind: 'uncovered' }],
    });
  });

  test('of a file that is not indexed are reported once', async () => {
    expect(await checked('big.md', [3, 4])).toMatchObject({ kept: 1, problems: [{ kind: 'unindexed' }] });
  });

  test('that could mean several documents need to lie in one of them', async () => {
    const among = known('y/a.md', 'x/a.md');
    expect((await checked('a.md', [30, 31], among)).problems.map(({ kind }) => kind)).toEqual(['ambiguous']);
    expect(await checked('a.md', [41, 50], among)).toMatchObject({
      kept: 0,
      problems: [{ kind: 'ambiguous' }, { kind: 'beyond' }],
    });
  });
});

test('a warning names a long question by its beginning, with no character cut in two', () => {
  const asked = { id: 'q', text: `line\n${'🦆'.repeat(80)}` };
  const [warning = ''] = labelWarnings([labelProblem('absent', asked, { path: 'a' })]);
  expect(warning).toContain(`question q "line ${'🦆'.repeat(55)} …"`);
  expect(warning.isWellFormed()).toBe(true);
});
