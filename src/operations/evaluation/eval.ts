import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { type Evaluation, evaluationSchema } from '../../evaluation/evaluation-result.ts';
import type { Run } from '../../evaluation/plan-runs.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { defineOperation } from '../operation.ts';

export { floorSentence } from '../../evaluation/measures/floors.ts';
export type { Block, TableBlock } from '../../evaluation/report/blocks.ts';
export { comparedBlocks, movedBlocks } from '../../evaluation/report/quality-blocks.ts';
export { reportBlocks } from '../../evaluation/report/report-blocks.ts';

const input = z.strictObject({
  sets: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Files of labelled questions about this project; by default those that you judged in the page of `quarry ui`.',
    ),
  with: z
    .array(z.string())
    .default([])
    .describe(
      'Compare with a second configuration that has this setting (KEY=VALUE). Repeat it to give that configuration several settings.',
    ),
  modes: z.boolean().default(false).describe('Also compare with vector search alone and text search alone.'),
  text_only: z.boolean().default(false).describe('Use text search only.'),
  limit: z.int().min(1).optional().describe('Ask only the first N questions of each set.'),
  save: z.string().min(1).optional().describe('Write the result to this file.'),
  against: z.string().min(1).optional().describe('Compare with a result that was saved in this file.'),
  floor: z
    .array(z.string())
    .default([])
    .describe(
      'Fail with exit code 8 when a metric is below this value (METRIC=VALUE, such as ndcg@10=0.7). For several sets the mean counts.',
    ),
  report: z
    .string()
    .min(1)
    .optional()
    .describe('Write report.md and report.html with tables and plots to this folder.'),
});

/** No error has this code: the evaluation succeeded, but a metric is below its floor. */
const exitCodeBelowFloor = 8;

/** Measures how well the engine finds what labelled questions ask for, and whether a change makes it better. */
export const evalOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['sets'],
  input,
  output: evaluationSchema,
  examples: [
    { input: { sets: ['queries.jsonl'] }, explains: 'ask your own labelled questions of this project' },
    {
      input: { sets: ['queries.jsonl'], modes: true },
      explains: 'compare with vectors alone and text alone',
    },
    {
      input: { sets: ['queries.jsonl'], with: ['search.dense_weight=0.3'] },
      explains: 'is this setting better? compared question by question',
    },
    {
      input: { sets: ['queries.jsonl'], save: 'before.json' },
      explains: 'save the result for a later comparison',
    },
    {
      input: { sets: ['queries.jsonl'], against: 'before.json', report: 'evaluation' },
      explains: 'compare with it after a change, and write a report',
    },
    {
      input: { sets: ['queries.jsonl'], floor: ['ndcg@10=0.7', 'hit@5=0.9'] },
      explains: 'fail when a metric is too low',
    },
  ],
  exitCode: ({ floors }) => (floors.every(({ reached }) => reached) ? 0 : exitCodeBelowFloor),
  events: async () => (await import('../../core/events.ts')).evaluationEventSchema,
  async *run(project, given, { signal }) {
    const { evaluate } = await import('../../evaluation/evaluate.ts');
    const { readOwnQuestions } = await import('../../evaluation/own-questions.ts');
    const settings = await flagsGiven(project);
    const options = { cacheFolder: project.cacheFolder, limit: given.limit, signal };
    const openSets = async (runs: readonly Run[]) => {
      await checkSettings(project, runs);
      const read = (file: string) => readOwnQuestions(resolve(file), project, settings, options);
      return Promise.all((given.sets.length > 0 ? given.sets : [await judgedQuestions(project)]).map(read));
    };
    return keep(project, yield* evaluate(openSets, given, { settings, signal }));
  },
});

/** The file of questions that the user judged in the page. */
async function judgedQuestions({ folder }: Project): Promise<string> {
  const { entryOfFolder } = await import('../../user/project-entry.ts');
  const { ownQuestionsFile } = await import('../../user/reader-notes.ts');
  const file = ownQuestionsFile(processEnvironment, entryOfFolder(folder).folder);
  if (existsSync(file)) return file;
  throw new QuarryError(
    'usage-invalid',
    'No file of questions is named, and you have not judged any hit of this project yet.',
    'Name a file, or say in `quarry ui` whether a hit was what you looked for.',
  );
}

/** Keeps the result with the project, for later comparisons; where that fails, the result is the same. */
async function keep(project: Project, result: Evaluation): Promise<Evaluation> {
  const { keepReport } = await import('../../evaluation/report/kept-reports.ts');
  try {
    return { ...result, report: await keepReport(project.folder, result) };
  } catch (thrown) {
    const { message } = asQuarryError(thrown);
    return {
      ...result,
      warnings: [...result.warnings, `The result is not kept with the project: ${message}`],
    };
  }
}

/** Settings that the caller gave for this run, so that other projects can be opened with them too. */
async function flagsGiven({ settings, origins }: Project): Promise<Record<string, unknown>> {
  const { settingFields } = await import('../../settings/settings.ts');
  const valueAt = (key: string) =>
    key
      .split('.')
      .reduce<unknown>((table, name) => (table as Record<string, unknown> | undefined)?.[name], settings);
  return Object.fromEntries(
    settingFields()
      .filter(({ key }) => origins.get(key)?.layer === 'flag')
      .map(({ key }) => [key, valueAt(key)]),
  );
}

/** An unknown setting fails before the first question is asked. */
async function checkSettings(project: Project, runs: readonly Run[]): Promise<void> {
  const { openProject } = await import('../../project/open-project.ts');
  for (const { settings } of runs) await (await openProject(project.folder, { settings })).close();
}
