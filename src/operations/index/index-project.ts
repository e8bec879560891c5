import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Project, ProjectIndexOptions } from '../../calls/project.ts';
import { type LeftOutForAge, leftOutForAge, tooOldDocuments } from '../../core/documents/age-rule.ts';
import { asQuarryError, errorToData, exitCodeOf, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { type IndexSummary, indexSummarySchema } from '../../core/index-summary.ts';
import { observe } from '../../platform/streams.ts';
import { defineOperation } from '../operation.ts';
import { retiredField, retiredIn } from './retired.ts';
import { untrustedField, untrustedIn } from './untrusted.ts';

/** Events of a run that its result tells as warnings. */
const reported: readonly IndexEvent['type'][] = [
  'vectors-failed',
  'root-failed',
  'index-set-aside',
  'project-disabled',
];

const pathWithReason = z.object({ path: z.string(), reason: z.string() });

/** Makes the index equal to the files of the project. */
export const indexOperation = defineOperation({
  effect: 'writes',
  repeatable: true,
  reach: 'project',
  positionals: ['paths'],
  pathFields: ['paths'],
  input: z.strictObject({
    paths: z
      .array(z.string().min(1))
      .default([])
      .describe('Only these files and folders of the project; all of it where none is named.'),
    full: z
      .boolean()
      .default(false)
      .describe('Read and cut every file again; vectors of unchanged text are kept.'),
  }),
  output: z.object({
    summary: indexSummarySchema,
    failed: z.array(pathWithReason),
    degraded: z.array(pathWithReason),
    warnings: z.array(problemSchema),
    ...untrustedField,
    ...retiredField,
  }),
  examples: [
    { input: {}, explains: 'index this folder, or only what changed since last time' },
    { input: { paths: ['docs', 'README.md'] }, explains: 'only a folder and a file' },
    { input: { full: true }, explains: 'read and cut every file again' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  streams: true,
  // Text search works without vectors, but the caller asked for a complete index.
  // An index that was set aside has been built again; what is too old, or in a disabled project, was not asked for.
  exitCode: ({ warnings }) =>
    warnings
      .filter(({ code }) => !['store-foreign', 'documents-too-old', 'project-disabled'].includes(code))
      .map(({ code }) => exitCodeOf(code))[0] ?? 0,
  async *run(project, { paths, full }, { signal }) {
    await requireKnown(project, paths);
    const failed: z.output<typeof pathWithReason>[] = [];
    const degraded: z.output<typeof pathWithReason>[] = [];
    const warnings: z.output<typeof problemSchema>[] = [];
    const tooOld: LeftOutForAge[] = [];
    const run = bringUpToDate(project, { signal, full, ...(paths.length > 0 && { only: paths }) });
    const summary = yield* observe(run, (event) => {
      if (event.type === 'document-failed') failed.push({ path: event.uri, reason: event.reason });
      if (event.type === 'document-degraded') degraded.push({ path: event.uri, reason: event.reason });
      if (event.type === 'documents-stale' && event.error) warnings.push(errorToData(event.error));
      if (reported.includes(event.type) && 'error' in event)
        warnings.push(errorToData(asQuarryError(event.error)));
      const aged = leftOutForAge(event);
      if (aged) tooOld.push(aged);
    });
    if (tooOld.length > 0) warnings.push(errorToData(tooOldDocuments(tooOld)));
    return { summary, failed, degraded, warnings, ...untrustedIn(project), ...retiredIn(project) };
  },
});

/** Fails for a path that is neither there nor in the index: it was mistyped. One that is gone is removed by the run. */
async function requireKnown(project: Project, paths: readonly string[]): Promise<void> {
  // What cannot be looked at counts as absent.
  const found = await Promise.all(
    paths.map((path) => stat(resolve(project.folder, path)).catch(() => undefined)),
  );
  // A path that leads out is refused by the run itself.
  const missing = paths.filter((path, index) => !found[index] && !path.startsWith('..'));
  if (missing.length === 0) return;
  const known = (await project.manifest()).map(({ uri }) => uri);
  const mistyped = missing.find((path) => !known.some((uri) => uri === path || uri.startsWith(`${path}/`)));
  if (mistyped === undefined) return;
  throw new QuarryError(
    'usage-invalid',
    `There is no file or folder "${mistyped}" in the project.`,
    'Name files and folders as they are seen from here.',
  );
}

/** Runs indexing, passing its events on, and returns the summary of the last one. */
async function* bringUpToDate(
  project: Project,
  options: Pick<ProjectIndexOptions, 'full' | 'only' | 'signal'>,
): AsyncGenerator<IndexEvent, IndexSummary> {
  let summary: IndexSummary | undefined;
  for await (const event of project.index(options)) {
    if (event.type === 'index-end') summary = event.summary;
    yield event;
  }
  if (!summary)
    throw new QuarryError('internal', 'Indexing ended without a summary.', 'Report this as a defect.');
  return summary;
}
