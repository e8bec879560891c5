import { z } from 'zod';
import {
  evaluationSchema,
  reportComparisonSchema,
  reportHeadSchema,
} from '../../evaluation/evaluation-result.ts';
import { defineOperation } from '../operation.ts';

const id = z.string().min(1).max(100);

/** Lists the evaluations that the project keeps. */
export const reportListOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    reports: z.array(reportHeadSchema).describe('Newest first.'),
    unreadable: z
      .array(z.string())
      .describe('Ids of reports that cannot be read, or are of another version.'),
  }),
  examples: [{ input: {}, explains: 'how earlier evaluations came out' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run({ folder }) {
    const { listReports } = await import('../../evaluation/report/kept-reports.ts');
    const { reports, unreadable } = await listReports(folder);
    return { reports: [...reports], unreadable: [...unreadable] };
  },
});

/** Shows one kept evaluation whole. */
export const reportShowOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['report'],
  input: z.strictObject({
    report: id.optional().describe('The id of a report, or how it begins; the newest by default.'),
  }),
  output: evaluationSchema,
  examples: [
    { input: {}, explains: 'the newest evaluation, question by question' },
    { input: { report: '2026-01-31' }, explains: 'the one of that day' },
  ],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run({ folder }, { report }) {
    const { readReport } = await import('../../evaluation/report/kept-reports.ts');
    const found = await readReport(folder, report);
    return { ...found.evaluation, report: found.id };
  },
});

/** Compares two runs of kept evaluations. */
export const reportCompareOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['before', 'after'],
  input: z.strictObject({
    before: id
      .optional()
      .describe(
        'The id of the earlier report, or how it begins; by default the one before the later report.',
      ),
    after: id.optional().describe('The id of the later report, or how it begins; the newest by default.'),
    before_run: z
      .string()
      .optional()
      .describe('Which run of the earlier report; by default the one of the same name in the later.'),
    after_run: z.string().optional().describe('Which run of the later report.'),
  }),
  output: reportComparisonSchema,
  examples: [
    { input: {}, explains: 'did the newest evaluation come out better than the one before?' },
    { input: { before: '2026-01-31', after: '2026-02-28' }, explains: 'two days compared' },
    {
      input: { before: '2026-01-31', after: '2026-01-31', before_run: 'text', after_run: 'engine' },
      explains: 'two runs of one evaluation',
    },
  ],
  async *run({ folder }, { before, after, before_run, after_run }) {
    const { listReports, readReport } = await import('../../evaluation/report/kept-reports.ts');
    const { compareReports } = await import('../../evaluation/report/compare-reports.ts');
    const later = await readReport(folder, after);
    const { reports } = await listReports(folder);
    // Where there is none before it, its own runs are compared.
    const previous = before ?? reports.find((report) => report.id < later.id)?.id ?? later.id;
    const earlier = await readReport(folder, previous);
    return compareReports({ ...earlier, run: before_run }, { ...later, run: after_run });
  },
});
