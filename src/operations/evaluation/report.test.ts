import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { temporaryFolder, writeFiles } from '../../../test/temporary-folder.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { renderReportComparison, renderReports } from '../../surfaces/cli/render/report.ts';
import { keptOutput } from '../../surfaces/cli/terminal/kept-output.fixture.ts';
import type { OperationBody } from '../operation.ts';
import { evalOperation } from './eval.ts';
import { reportCompareOperation, reportListOperation, reportShowOperation } from './report.ts';

const settings = { 'embedder.driver': 'hashing' };
const fruits = ['apple', 'pear', 'plum', 'quince'];
const files = Object.fromEntries(
  fruits.map((fruit) => [`${fruit}.md`, `# ${fruit}\n\nThe ${fruit} is picked.\n`]),
);
const asked = (names: readonly string[]) =>
  names.map((fruit) => JSON.stringify({ id: fruit, text: fruit, relevant: [`${fruit}.md`] })).join('\n');

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder({ ...files, 'questions.jsonl': asked(fruits) });
  await evaluate(folder);
  // In the second evaluation, the first question is answered by another file, and the last is new.
  await rm(join(folder, 'apple.md'));
  await writeFiles(folder, {
    'fig.md': '# fig\n\nThe fig is picked.\n',
    'questions.jsonl': asked(['fig', 'pear', 'plum']).replace(
      '"fig","relevant":["fig.md"]',
      '"fig","relevant":["pear.md"]',
    ),
  });
  await evaluate(folder, { modes: true });
});

async function perform<Input extends z.ZodObject, Output extends z.ZodType>(
  operation: OperationBody<Input, Output, never>,
  input: z.input<Input>,
  place = folder,
): Promise<z.output<Output>> {
  const project = await openProject(place, { settings });
  try {
    return operation.output.parse(await resultOf(operation.run(project, operation.input.parse(input), {})));
  } finally {
    await project.close();
  }
}

async function evaluate(place: string, more: Partial<z.input<typeof evalOperation.input>> = {}) {
  const project = await openProject(place, { settings });
  try {
    const input = evalOperation.input.parse({ sets: [join(place, 'questions.jsonl')], ...more });
    return await resultOf(evalOperation.run(project, input, {}));
  } finally {
    await project.close();
  }
}

test('evaluations are kept with the project, newest first, and shown whole', async () => {
  const { reports } = await perform(reportListOperation, {});
  expect(reports.map(({ runs }) => runs.map(({ name }) => name))).toEqual([
    ['engine', 'vectors', 'text'],
    ['engine'],
  ]);
  expect(reports[1]?.sets).toEqual([{ name: 'questions', documents: 5, chunks: 5, questions: 4 }]);
  const { output, results } = keptOutput();
  renderReports({ reports, unreadable: [] }, output);
  expect(results).toHaveLength(5);
  const whole = await perform(reportShowOperation, { report: reports[1]?.id ?? '' });
  expect(whole.sets[0]?.questions.map(({ id }) => id)).toEqual(fruits);
  expect((await perform(reportShowOperation, {})).report).toBe(reports[0]?.id);
});

test('two are compared on the questions that both were asked, each metric with its interval', async () => {
  const compared = await perform(reportCompareOperation, {});
  expect(compared.questions.map(({ id }) => id).sort()).toEqual(['pear', 'plum']);
  expect(compared.metrics[0]).toMatchObject({
    metric: 'ndcg_10',
    before: 1,
    after: 1,
    difference: 0,
    real: false,
  });
  expect(compared.comparisons).toMatchObject([{ set: 'questions', questions: 2, equal: 2 }]);
  expect(compared.warnings).toEqual([
    'questions: not in the saved evaluation, or changed since: 1 question.',
  ]);
  expect(compared.questions[0]?.found_after).toContain('pear.md');
  const { output, results } = keptOutput();
  renderReportComparison(compared, output);
  expect(results.join('\n')).toMatch(/nDCG@10 +1\.000 +1\.000 +\+0\.000 +\+0\.000 to \+0\.000/);
});

test('two runs of one evaluation are compared too, and a run not with itself', async () => {
  const { reports } = await perform(reportListOperation, {});
  const id = reports[0]?.id ?? '';
  const own = { before: id, after: id };
  const compared = await perform(reportCompareOperation, {
    ...own,
    before_run: 'text',
    after_run: 'vectors',
  });
  expect(compared.questions).toHaveLength(3);
  expect([compared.before.run, compared.after.run]).toEqual(['text', 'vectors']);
  await expect(
    perform(reportCompareOperation, { ...own, before_run: 'text', after_run: 'text' }),
  ).rejects.toMatchObject({ code: 'usage-invalid' });
  await expect(perform(reportCompareOperation, { ...own, after_run: 'none' })).rejects.toThrow(
    'has no run "none"',
  );
});

test('an id that is none, is not the only one, or is a path is refused with the way to list them', async () => {
  const refusal = { code: 'usage-invalid', remedy: 'List them: quarry report list' };
  for (const report of ['1999', '2', '../questions', '..'])
    await expect(perform(reportShowOperation, { report })).rejects.toMatchObject(refusal);
  const empty = await temporaryFolder({ 'a.md': 'a' });
  await expect(perform(reportShowOperation, {}, empty)).rejects.toMatchObject({ code: 'usage-invalid' });
  expect(await perform(reportListOperation, {}, empty)).toEqual({ reports: [], unreadable: [] });
});

test('a damaged report is named, and does not hide the others', async () => {
  const place = await temporaryFolder({ ...files, 'questions.jsonl': asked(['pear']) });
  await evaluate(place);
  const reports = join(place, '.quarry', 'reports');
  await writeFile(join(reports, '2026-01-01T00-00-00.000Z.ndjson'), '{"id": 1}\n');
  const { reports: listed, unreadable } = await perform(reportListOperation, {}, place);
  expect(listed).toHaveLength(1);
  expect(unreadable).toEqual(['2026-01-01T00-00-00.000Z']);
  await expect(perform(reportShowOperation, { report: '2026-01-01T' }, place)).rejects.toMatchObject({
    code: 'file-unreadable',
  });
});

test('fifty are kept, and the oldest make room', async () => {
  const place = await temporaryFolder({ ...files, 'questions.jsonl': asked(['pear']) });
  await evaluate(place);
  const reports = join(place, '.quarry', 'reports');
  for (let day = 10; day < 70; day += 1) await writeFile(join(reports, `2020-${day}.ndjson`), '{}\n');
  await evaluate(place);
  const names = (await readdir(reports)).sort();
  expect(names).toHaveLength(50);
  expect(names[0]).toBe('2020-22.ndjson');
});
