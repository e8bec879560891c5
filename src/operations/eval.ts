import { resolve } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import type { RunPair } from '../evaluation/evaluate.ts';
import type { Run } from '../evaluation/evaluate-set.ts';
import { type Evaluation, evaluationSchema } from '../evaluation/evaluation-result.ts';
import { checkFloors, parseFloors } from '../evaluation/floors.ts';
import type { Project } from '../project/project.ts';
import { defineOperation } from './operation.ts';

export { floorSentence } from '../evaluation/floors.ts';
export { metricNames, metrics } from '../evaluation/metrics.ts';

const input = z.strictObject({
  sets: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      'Files of labelled questions about this project, or folders with queries.jsonl, corpus.jsonl and qrels.tsv.',
    ),
  with: z
    .array(z.string())
    .default([])
    .describe(
      'Compare with a second configuration that has this setting (KEY=VALUE); repeated ones are one configuration.',
    ),
  modes: z.boolean().default(false).describe('Also ask vectors alone and text alone, and compare with them.'),
  text_only: z.boolean().default(false).describe('Ask the text alone; no vectors are made.'),
  limit: z.int().min(1).optional().describe('Ask only the first N questions of each set.'),
  extension: z
    .string()
    .regex(/^[a-z0-9]{1,10}$/)
    .optional()
    .describe('Ending of the files that texts of a collection are written to, such as md or py.'),
  save: z.string().min(1).optional().describe('Write the result to this file.'),
  against: z.string().min(1).optional().describe('Compare with a result that was saved in this file.'),
  floor: z
    .array(z.string())
    .default([])
    .describe(
      'Fail when a metric is below this value (METRIC=VALUE, such as ndcg@10=0.7), with exit code 8; over several sets their mean counts.',
    ),
  report: z
    .string()
    .min(1)
    .optional()
    .describe('Write report.md and report.html with tables and plots to this folder.'),
});
type Input = z.output<typeof input>;

/** No error has this code: everything went well, and what was measured is not enough. */
const exitCodeBelowFloor = 8;

/** Measures how well the engine finds what labelled questions ask for, and whether a change makes it better. */
export const evalOperation = defineOperation({
  name: 'eval',
  summary: 'Measure how well questions with known answers are answered, and compare settings.',
  positionals: ['sets'],
  input,
  output: evaluationSchema,
  examples: [
    { command: 'eval queries.jsonl', explains: 'ask your own labelled questions of this project' },
    {
      command: 'eval sets/scifact sets/docs --modes',
      explains: 'collections, beside vectors and text alone',
    },
    {
      command: 'eval queries.jsonl --with search.dense_weight=0.3',
      explains: 'is this setting better? question by question',
    },
    { command: 'eval queries.jsonl --save before.json', explains: 'keep the result of today' },
    {
      command: 'eval queries.jsonl --against before.json --report evaluation',
      explains: 'compare with it after a change, and write a report',
    },
    {
      command: 'eval queries.jsonl --floor ndcg@10=0.7 --floor hit@5=0.9',
      explains: 'fail when the answers are worse than that',
    },
  ],
  exitCode: ({ floors }) => (floors.every(({ reached }) => reached) ? 0 : exitCodeBelowFloor),
  async *run(project, given, { signal }) {
    const { evaluate } = await import('../evaluation/evaluate.ts');
    const { openSets } = await import('../evaluation/open-sets.ts');
    const { compareWithSaved, readSaved } = await import('../evaluation/saved-evaluation.ts');
    const floors = parseFloors(given.floor);
    const settings = await flagsGiven(project);
    const { runs, pairs } = await runsOf(given, settings);
    await checkSettings(project, runs);
    // Read first: a file that cannot be used should not be noticed after an hour of work.
    const saved = given.against === undefined ? undefined : await readSaved(resolve(given.against));
    const sets = await openSets(given.sets, project, settings, {
      cacheFolder: project.cacheFolder,
      limit: given.limit,
      extension: given.extension,
      signal,
    });
    const result = yield* evaluate(sets, runs, pairs, { textOnly: given.text_only, signal });
    const compared = saved ? compareWithSaved(result, saved) : { comparisons: [], warnings: [] };
    return keep(
      {
        ...result,
        comparisons: [...result.comparisons, ...compared.comparisons],
        floors: result.overall.slice(0, 1).flatMap((engine) => checkFloors(floors, engine)),
        warnings: [...result.warnings, ...compared.warnings],
      },
      given,
    );
  },
});

/** Settings that the caller gave for this run, so that other projects can be opened with them too. */
async function flagsGiven({ settings, origins }: Project): Promise<Record<string, unknown>> {
  const { settingFields } = await import('../project/settings/settings.ts');
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

async function runsOf(
  given: Input,
  settings: Record<string, unknown>,
): Promise<{ runs: Run[]; pairs: RunPair[] }> {
  if (given.text_only && given.modes)
    throw new QuarryError(
      'usage-invalid',
      '--modes asks vectors too, and --text-only makes none.',
      'Leave one of them out.',
    );
  const weight = given.text_only ? { denseWeight: 0 } : {};
  const engine: Run = { name: given.text_only ? 'text' : 'engine', settings, ...weight };
  const runs = [engine];
  const pairs: RunPair[] = [];
  if (given.modes) {
    runs.push({ name: 'vectors', settings, denseWeight: 1 }, { name: 'text', settings, denseWeight: 0 });
    pairs.push(['vectors', engine.name], ['text', engine.name]);
  }
  if (given.with.length > 0) {
    const { shownSetting } = await import('../evaluation/evaluate.ts');
    const pairsGiven = given.with.map(settingOf);
    const name = pairsGiven.map(([key, value]) => `${key}=${shownSetting(key, value)}`).join(' ');
    runs.push({
      name,
      settings: { ...settings, ...Object.fromEntries(pairsGiven) },
      ...weight,
    });
    pairs.push([engine.name, name]);
  }
  return { runs, pairs };
}

function settingOf(pair: string): [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at >= 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw new QuarryError('usage-invalid', `--with ${pair} has no "=".`, 'Write it as --with search.top_k=10.');
}

/** A setting that does not exist is told before anything is asked. */
async function checkSettings(project: Project, runs: readonly Run[]): Promise<void> {
  const { openProject } = await import('../project/open-project.ts');
  for (const { settings } of runs) await (await openProject(project.folder, { settings })).close();
}

async function keep(result: Evaluation, { save, report }: Input): Promise<Evaluation> {
  const files: string[] = [];
  if (report !== undefined) {
    const { writeReport } = await import('../evaluation/report/write-report.ts');
    files.push(...(await writeReport(resolve(report), result)));
  }
  if (save !== undefined) {
    const { writeWhole } = await import('../evaluation/saved-evaluation.ts');
    await writeWhole(resolve(save), `${JSON.stringify(result)}\n`);
    files.push(resolve(save));
  }
  return { ...result, files };
}
