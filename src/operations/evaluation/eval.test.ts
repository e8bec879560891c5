import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { temporaryFolder, writeFiles } from '../../../test/temporary-folder.ts';
import type { QuarryEvent } from '../../core/events.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { openProject } from '../../project/open-project.ts';
import { renderEvaluation } from '../../surfaces/cli/render/eval.ts';
import { entryOfFolder } from '../../user/project-entry.ts';
import { openReaderNotes } from '../../user/reader-notes.ts';
import { evalOperation } from './eval.ts';

type Input = z.input<typeof evalOperation.input>;
type Result = z.output<typeof evalOperation.output>;

const questions = [
  { id: 'hash', text: 'sealSecret', category: 'symbol', relevant: ['password.ts'] },
  { id: 'lines', text: 'pears in autumn', relevant: ['docs/fruit.md:7-9'] },
  { id: 'gone', text: 'apples', relevant: ['docs/fruit.md', 'deleted.md'] },
  { id: 'none', text: 'nothing is relevant' },
];

/** A project of a few files, with the questions above. */
const prepareFolder = (): Promise<string> =>
  temporaryFolder({
    'src/password.ts': 'export function sealSecret(secret: string) {\n  return secret;\n}\n',
    'src/other.ts': 'export const nothing = 1;\n',
    'docs/fruit.md': '# Apples\n\nRed apples in summer.\n\n# Pears\n\nGreen pears in autumn.\n',
    'questions.jsonl': questions.map((row) => JSON.stringify(row)).join('\n'),
  });

/** The project of all tests that change nothing in it: it is read once. */
let folder: string;
beforeAll(async () => {
  folder = await prepareFolder();
});

async function run(
  input: Partial<Input> = {},
  settings: Record<string, unknown> = {},
  place = folder,
): Promise<{ result: Result; events: QuarryEvent[] }> {
  const project = await openProject(place, { settings: { 'embedder.driver': 'hashing', ...settings } });
  const events: QuarryEvent[] = [];
  try {
    const given = { sets: [join(place, 'questions.jsonl')], ...input };
    const work = evalOperation.run(project, evalOperation.input.parse(given), {});
    let step = await work.next();
    for (; !step.done; step = await work.next()) events.push(step.value);
    return { result: evalOperation.output.parse(step.value), events };
  } finally {
    await project.close();
  }
}

function shown(result: Result): string {
  const lines: string[] = [];
  const same = (_: unknown, text: string) => text;
  const write = (line: string) => void lines.push(line);
  renderEvaluation(result, {
    result: write,
    note: write,
    status() {},
    link: (text: string) => text,
    style: same,
    styleNote: same,
    live: false,
  });
  return lines.join('\n');
}

describe('questions of one’s own', () => {
  test('are asked of the project, with every metric and what is wrong with the labels', async () => {
    const { result, events } = await run();
    expect(result.sets[0]).toMatchObject({
      name: 'questions',
      unjudged: 1,
      warnings: [
        'Not asked for want of a label: 1 question.',
        '"deleted.md" is not a document here; the label is left out (question gone "apples"). Correct the path, or remove the label.',
      ],
      label_problems: [{ kind: 'absent', label: 'deleted.md', question: 'gone', text: 'apples' }],
    });
    expect(result.overall[0]).toMatchObject({
      run: 'engine',
      questions: 3,
      scores: { hit_1: 1, recall_50: 1 },
    });
    expect(result.sets[0]?.questions.map(({ id, labels }) => [id, labels])).toEqual([
      ['hash', 1],
      ['lines', 1],
      ['gone', 1],
    ]);
    // The file with the questions holds all their words, and is no answer to them.
    expect(result.sets[0]?.questions[0]?.answers.engine?.found).not.toContain('questions.jsonl');
    expect(events).toContainEqual({ type: 'questions-answered', set: 'questions', done: 0, total: 3 });
    expect(shown(result)).toMatch(/nDCG@10.*\nquestions +3 +1\.000/);
  });

  test('show how vectors alone and text alone would do', async () => {
    const { result } = await run({ modes: true });
    expect(result.runs.map(({ name, dense_weight }) => [name, dense_weight])).toEqual([
      ['engine', undefined],
      ['vectors', 1],
      ['text', 0],
    ]);
    expect(result.comparisons.map(({ before, after }) => `${before} ${after}`)).toEqual([
      'vectors engine',
      'text engine',
    ]);
  });

  test('show whether a second configuration is better, question by question', async () => {
    const { result } = await run({ with: ['search.dense_weight=0', 'search.per_document=1'] });
    expect(result.runs[1]).toMatchObject({
      name: 'search.dense_weight=0 search.per_document=1',
      settings: { 'embedder.driver': 'hashing', 'search.per_document': '1' },
    });
    const [comparison] = result.comparisons;
    expect(comparison).toMatchObject({ before: 'engine', questions: 3, real: false });
    expect((comparison?.won ?? 0) + (comparison?.lost ?? 0) + (comparison?.equal ?? 0)).toBe(3);
    expect(shown(result)).toContain(
      'has too few questions (3, at least 30 are needed) to be judged against engine',
    );
  });

  test('try another way of cutting on a copy: the index of the project stays as it is', async () => {
    await run();
    const manifest = async () => {
      const project = await openProject(folder);
      const entries = await project.manifest({ chunks: true }).finally(() => project.close());
      return entries.map(({ uri, recipe, chunkIds }) => ({ uri, recipe, chunkIds }));
    };
    const before = await manifest();
    const { result } = await run({
      with: [
        'chunking.sizes=characters',
        'chunking.by_characters.size=40',
        'chunking.by_characters.overlap=0',
      ],
    });
    const [, trial] = result.runs;
    expect(result.sets[0]?.questions.every(({ answers }) => answers[trial?.name ?? ''] !== undefined)).toBe(
      true,
    );
    expect(await manifest()).toEqual(before);
    const project = await openProject(folder);
    const left = await readdir(join(project.cacheFolder, 'evaluation')).catch(() => []);
    expect(left.filter((name) => name.startsWith('trial-'))).toEqual([]);
    await project.close();
  });
});

describe('questions that were judged in the page', () => {
  test('are asked where no file is named', async () => {
    const given = { sets: [] };
    await expect(run(given)).rejects.toMatchObject({ code: 'usage-invalid' });
    const notes = openReaderNotes(processEnvironment, entryOfFolder(folder).folder);
    await notes.change({ judged: { text: 'sealSecret', path: 'src/password.ts', verdict: 'yes' } });
    await notes.change({ judged: { text: 'who sells pears', verdict: 'undecided' } });
    const { result } = await run(given);
    expect(result.sets[0]).toMatchObject({ name: 'questions', unjudged: 1 });
    expect(result.overall[0]).toMatchObject({ questions: 1, scores: { hit_1: 1 } });
  });
});

describe('labels that are wrong', () => {
  test('are reported with question and remedy on the terminal, in JSON and in the report', async () => {
    const row = { id: 'pears', text: 'pears in autumn', relevant: ['docs/fruit.md:7', 'fruit.md:700-720'] };
    const place = await prepareFolder();
    await writeFiles(place, { 'questions.jsonl': JSON.stringify(row) });
    const report = join(place, '.quarry', 'report');
    const { result } = await run({ report }, {}, place);
    expect(result.overall[0]?.scores.ndcg_10).toBe(1);
    expect(result.sets[0]?.label_problems).toMatchObject([
      { kind: 'beyond', label: 'fruit.md:700-720', question: 'pears', text: 'pears in autumn' },
    ]);
    expect(shown(result)).toContain(
      'warning questions: "fruit.md:700-720" lies beyond the end of the text, which is line 7; the label is left out (question pears "pears in autumn"). Correct the lines (quarry search shows them), or remove the label.',
    );
    expect(await readFile(join(report, 'report.md'), 'utf8')).toContain('lies beyond the end of the text');
  });
});

describe('floors', () => {
  test('that are reached let the command succeed, and are reported', async () => {
    const { result } = await run({ floor: ['ndcg@10=1', 'hit_5=0.5'] });
    expect(result.floors).toEqual([
      { metric: 'ndcg_10', floor: 1, run: 'engine', value: 1, reached: true },
      { metric: 'hit_5', floor: 0.5, run: 'engine', value: 1, reached: true },
    ]);
    expect(evalOperation.exitCode?.(result)).toBe(0);
    expect(shown(result)).toContain('nDCG@10 of engine reaches the floor: 1.000, asked for 1.');
  });

  test('that are not reached make it fail, with the figures in line, report and file', async () => {
    const place = await prepareFolder();
    await writeFiles(place, {
      'questions.jsonl': JSON.stringify({ text: 'sealSecret', relevant: ['docs/fruit.md', 'empty.md'] }),
      'empty.md': '\n',
    });
    const [save, report] = [join(place, '.quarry', 'now.json'), join(place, '.quarry', 'report')];
    const given = { floor: ['recall@50=0.9'], save, report, text_only: true };
    const { result } = await run(given, {}, place);
    expect(evalOperation.exitCode?.(result)).toBe(8);
    expect(shown(result)).toMatch(/recall@50 of text is below the floor: 0\.\d00, asked for 0\.9\./);
    expect(await readFile(join(report, 'report.html'), 'utf8')).toContain('is below the floor');
    expect(JSON.parse(await readFile(save, 'utf8')).floors).toMatchObject([{ reached: false }]);
  });

  test('are those of the first run: a configuration that is only tried decides nothing', async () => {
    const { result } = await run({ floor: ['ndcg@10=0.9'], with: ['search.per_document=1'], modes: true });
    expect(result.floors).toMatchObject([{ run: 'engine', reached: true }]);
  });

  test('that cannot be understood are refused before anything is asked', async () => {
    const given = { sets: ['nowhere'], floor: ['ndcg=0.7'] };
    await expect(run(given)).rejects.toMatchObject({ code: 'usage-invalid' });
  });

  test('are none where none is asked for, also in a result that was saved without them', async () => {
    const { result } = await run();
    expect(result.floors).toEqual([]);
    const { floors, ...before } = result;
    const sets = before.sets.map(({ label_problems, ...set }) => set);
    expect(evalOperation.output.parse({ ...before, sets })).toEqual({
      ...result,
      sets: sets.map((set) => ({ ...set, label_problems: [] })),
    });
    expect(evalOperation.exitCode?.({ ...result, floors })).toBe(0);
  });
});

describe('saved results', () => {
  test('hold no key and no password of an address', async () => {
    const { result } = await run(
      { with: ['store.api_key=hush', 'store.url=https://me:hush@host/?k=hush'], modes: true },
      { 'store.api_key': 'hush', 'store.mcp.server': 'npx notes --token hush' },
    );
    expect(result.runs[3]?.name).toBe('store.api_key=(hidden) store.url=https://(hidden)@host/?(hidden)');
    expect(JSON.stringify(result)).not.toContain('hush');
  });

  test('name settings that only sound like a key, so that runs can be distinguished', async () => {
    const settings = ['context.max_tokens=900', 'index.redact_secrets=true'];
    const { result } = await run({ with: settings });
    expect(result.runs[1]?.name).toBe(settings.join(' '));
  });

  test('are compared with question by question, and what is new or changed is reported', async () => {
    const place = await prepareFolder();
    const file = join(place, '.quarry', 'before.json');
    const { result: saved } = await run({ save: file }, { 'search.per_document': 1 }, place);
    expect(saved.files).toEqual([file]);
    const changed = [{ ...questions[0], text: 'password.ts' }, ...questions.slice(1)];
    await writeFiles(place, { 'questions.jsonl': changed.map((row) => JSON.stringify(row)).join('\n') });
    const { result } = await run({ against: file }, {}, place);
    expect(result.comparisons).toMatchObject([{ before: 'engine (saved)', after: 'engine', questions: 2 }]);
    expect(result.warnings).toEqual([
      'questions: not in the saved evaluation, or changed since: 1 question.',
    ]);
  });

  test('that are none are refused before anything is asked', async () => {
    const saved = await temporaryFolder({ 'a.json': '{"format": "other"}', 'b.json': '{' });
    await expect(run({ against: join(saved, 'a.json') })).rejects.toMatchObject({ code: 'usage-invalid' });
    await expect(run({ against: join(saved, 'b.json') })).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('become a report in Markdown and HTML', async () => {
    const report = join(folder, '.quarry', 'report');
    const { result } = await run({ report, modes: true });
    expect(result.files).toEqual([join(report, 'report.md'), join(report, 'report.html')]);
    expect(await readFile(join(report, 'report.html'), 'utf8')).toContain('<svg');
    expect(shown(result)).toContain(`Written: ${join(report, 'report.html')}`);
  });
});

describe('several sets', () => {
  test('end in a mean over the sets, and sets of one name get different names', async () => {
    const twin = await temporaryFolder({
      'questions.jsonl': JSON.stringify(questions[0]),
      'questions (2).jsonl': JSON.stringify(questions[0]),
    });
    const sets = [join(twin, 'questions (2).jsonl'), join(folder, 'questions.jsonl')];
    const { result } = await run({ sets: [...sets, join(twin, 'questions.jsonl')] });
    expect(result.sets.map(({ name }) => name)).toEqual(['questions (2)', 'questions', 'questions (3)']);
    expect(result.overall[0]).toMatchObject({ questions: 5, scores: { ndcg_10: 1 } });
    expect(shown(result)).toContain('mean of sets');
  });
});

describe('what cannot be evaluated', () => {
  test('such as a project that is disabled says so', async () => {
    await expect(run({}, { enabled: false })).rejects.toMatchObject({ code: 'project-disabled' });
  });

  test.each([
    ['a place that is not there', { sets: ['nowhere'] }, 'file-unreadable', /nowhere cannot be read/],
    ['a setting that is none', { with: ['search.topk=3'] }, 'config-invalid', /search\.topk/],
    ['a setting without a value', { with: ['search.top_k'] }, 'usage-invalid', /has no "="/],
    ['vectors where none are made', { modes: true, text_only: true }, 'usage-invalid', /--text-only/],
  ])('such as %s is reported with a remedy', async (_, input, code, message) => {
    await expect(run(input)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('such as a file where nothing is labelled says so', async () => {
    const place = await prepareFolder();
    await writeFiles(place, { 'questions.jsonl': '{"text": "a"}' });
    await expect(run({}, {}, place)).rejects.toMatchObject({
      message: expect.stringContaining('none of 1 has a label'),
    });
  });
});
