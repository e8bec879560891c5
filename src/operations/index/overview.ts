import { z } from 'zod';
import { errorToData } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { defineOperation } from '../operation.ts';
import { disabledField, disabledIn } from './disabled.ts';
import { summaryOf, summarySchema } from './summary.ts';
import { largestTopics } from './topics.ts';

/** Tells what a corpus is made of, how fresh it is, and what changed last. */
export const overviewOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    recent: z.int().min(0).max(1000).default(10).describe('Documents that changed last, to list.'),
    topics: z.int().min(0).max(1000).default(10).describe('Largest topics to list.'),
    summarise: z
      .boolean()
      .default(false)
      .describe('Add what the corpus is about, as an answer with its sources.'),
  }),
  output: z.object({
    ...disabledField,
    summary: summarySchema.optional().describe('What it is about, with sources; with `summarise`.'),
    documents: z.int(),
    chunks: z.int(),
    pending: z.int().describe('Chunks without a vector yet.'),
    types: z.record(z.string(), z.int()).describe('Documents by type.'),
    synced_at: z.string().optional().describe('When the text was last equal to the files.'),
    changes: z
      .object({ added: z.int(), changed: z.int(), deleted: z.int() })
      .optional()
      .describe('Files that differ from the index now; absent where they cannot be compared.'),
    incomparable: problemSchema.optional().describe('Why the index could not be compared with the files.'),
    recent: z
      .array(z.object({ path: z.string(), title: z.string(), type: z.string(), modified_at: z.string() }))
      .describe('Documents whose content changed last, newest first.'),
    topics: z
      .array(
        z.object({
          folder: z.string().describe('`.` for documents at the top.'),
          documents: z.int(),
          chunks: z.int(),
          words: z.array(z.string()).describe('Words of titles and names that set it apart from the others.'),
        }),
      )
      .describe('The largest parts of the corpus, by folder, most chunks first.'),
  }),
  examples: [
    { input: {}, explains: 'what the corpus is made of, how fresh it is, what changed last' },
    { input: { summarise: true }, explains: 'also what it is about, with sources' },
    { input: { recent: 50, topics: 0 }, explains: 'the fifty documents that changed last' },
  ],
  events: async () => (await import('../../core/events.ts')).answerEventSchema,
  async *run(project, { recent, topics, summarise }, { signal }) {
    const { counts, types, syncedAt, changes, incomparable, empty } = await project.status(
      signal ? { signal } : {},
    );
    const documents = (empty ? [] : await (await project.store()).documents()).toSorted(
      (one, other) => other.modifiedAt - one.modifiedAt || (one.uri < other.uri ? -1 : 1),
    );
    const listed = empty ? [] : await project.manifest();
    const chunksOf = new Map(listed.map(({ uri, chunks }) => [uri, chunks]));
    const counted = documents.map(({ uri, title }) => ({ uri, title, chunks: chunksOf.get(uri) ?? 0 }));
    const summary = summarise && !empty ? yield* summaryOf(project, documents, signal) : undefined;
    return {
      ...disabledIn(project),
      ...(summary && { summary }),
      documents: counts.documents,
      chunks: counts.chunks,
      pending: counts.chunks - counts.embedded,
      types: { ...types },
      ...(syncedAt !== undefined && { synced_at: new Date(syncedAt).toISOString() }),
      ...(changes && { changes: { ...changes } }),
      ...(incomparable && { incomparable: errorToData(incomparable) }),
      recent: documents.slice(0, recent).map(({ uri, title, type, modifiedAt }) => ({
        path: uri,
        title,
        type,
        modified_at: new Date(modifiedAt).toISOString(),
      })),
      topics: largestTopics(counted, topics).map((topic) => ({ ...topic, words: [...topic.words] })),
    };
  },
});
