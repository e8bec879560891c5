import { z } from 'zod';
import { labelProblemSchema } from './labels/label-problem.ts';
import { checkedFloorSchema } from './measures/floors.ts';
import { type Metric, metrics } from './measures/metrics.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);

const scoresSchema = z
  .object(Object.fromEntries(metrics.map((metric) => [metric, share])) as Record<Metric, typeof share>)
  .describe('Each metric from 0 to 1.');

const runSchema = z.object({
  name: z.string(),
  settings: z
    .record(z.string(), z.unknown())
    .describe('Settings given above those of files and environment.'),
  dense_weight: share.optional().describe('1 is vectors alone, 0 is text alone.'),
});

const answerSchema = z.object({
  scores: scoresSchema,
  milliseconds: z.number().min(0),
  found: z.array(z.string()).describe('The first ten documents or chunks.'),
});

const questionSchema = z.object({
  id: z.string(),
  text: z.string(),
  category: z.string().optional(),
  labels: count.describe('How many things are relevant.'),
  answers: z.record(z.string(), answerSchema).describe('By the name of the run.'),
});

const summarySchema = z.object({
  run: z.string(),
  questions: count,
  scores: scoresSchema,
  half_widths: scoresSchema.describe('Half the width of the 95 % interval of each mean.'),
  p50_ms: z.number(),
  p95_ms: z.number(),
});

const judgedPairSchema = z.object({
  set: z.string(),
  id: z.string(),
  text: z.string(),
  before: share,
  after: share,
});

const comparisonSchema = z.object({
  set: z.string().optional().describe('Absent: the mean over all sets.'),
  before: z.string(),
  after: z.string(),
  questions: count,
  difference: z.number().describe('nDCG@10 of `after` minus `before`.'),
  interval: z.tuple([z.number(), z.number()]).describe('95 % of resampled differences lie between these.'),
  real: z.boolean().describe('Whether the interval leaves out zero; never with fewer than 30 questions.'),
  won: count,
  lost: count,
  equal: count,
  differences: z.array(z.number()).describe('Question by question, the largest gain first.'),
  most_won: z.array(judgedPairSchema),
  most_lost: z.array(judgedPairSchema),
});

const setSchema = z.object({
  name: z.string(),
  documents: count,
  chunks: count,
  unjudged: count.describe('Questions that were not asked because nothing is known to be relevant.'),
  summaries: z.array(summarySchema),
  categories: z.array(summarySchema.extend({ category: z.string() })),
  warnings: z.array(z.string()),
  label_problems: z
    .array(labelProblemSchema)
    .default([])
    .describe('Labels that are not what their writer meant; the warnings name them too.'),
  questions: z.array(questionSchema),
});

const settingsOfRun = runSchema.shape.settings;

/** A kept evaluation in a list. */
export const reportHeadSchema = z.object({
  id: z.string(),
  created_at: z.string(),
  seconds: z.number(),
  runs: z.array(runSchema),
  sets: z.array(z.object({ name: z.string(), documents: count, chunks: count, questions: count })),
  overall: z.array(summarySchema).describe('The mean over the sets, each of the same weight.'),
});

const sideSchema = z.object({
  report: z.string(),
  created_at: z.string(),
  run: z.string(),
  settings: settingsOfRun,
});

/** Two runs of kept evaluations, compared on the questions that both were asked. */
export const reportComparisonSchema = z.object({
  before: sideSchema,
  after: sideSchema,
  metrics: z
    .array(
      z.object({
        metric: z.enum(metrics as [Metric, ...Metric[]]),
        before: share,
        after: share,
        difference: z.number(),
        interval: z.tuple([z.number(), z.number()]),
        real: z.boolean(),
      }),
    )
    .describe('Means over the shared questions, each set of the same weight, and their difference.'),
  comparisons: z
    .array(comparisonSchema)
    .describe('By nDCG@10: each set, and where there are several their mean.'),
  questions: z
    .array(
      judgedPairSchema.extend({
        found_before: z.array(z.string()).describe('The first ten that the earlier run found.'),
        found_after: z.array(z.string()),
      }),
    )
    .describe('Every shared question by its nDCG@10, the largest gain first.'),
  warnings: z.array(z.string()),
});

/** The result of an evaluation, as JSON carries it and as it is saved. */
export const evaluationSchema = z.object({
  format: z.literal('quarry-evaluation-1'),
  created_at: z.string(),
  runs: z.array(runSchema),
  sets: z.array(setSchema),
  overall: z.array(summarySchema).describe('The mean over the sets, each of the same weight.'),
  comparisons: z.array(comparisonSchema),
  floors: z.array(checkedFloorSchema).default([]).describe('What was demanded of the first run.'),
  warnings: z.array(z.string()),
  seconds: z.number(),
  files: z.array(z.string()).describe('Files that were written.'),
  report: z.string().optional().describe('The id by which the project keeps this result: quarry report.'),
});

export type Evaluation = z.output<typeof evaluationSchema>;
export type EvaluatedSet = z.output<typeof setSchema>;
export type EvaluatedQuestion = z.output<typeof questionSchema>;
export type RunSummary = z.output<typeof summarySchema>;
export type RunComparison = z.output<typeof comparisonSchema>;
export type ReportHead = z.output<typeof reportHeadSchema>;
export type ReportComparison = z.output<typeof reportComparisonSchema>;
export type Answer = z.output<typeof answerSchema>;
