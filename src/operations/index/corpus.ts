import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { isCommit } from '../../core/documents/commit.ts';
import type { AnswerEvent } from '../../core/events.ts';
import { summaryOf, summarySchema } from './summary.ts';
import { largestTopics } from './topics.ts';

const count = z.int().min(0).max(1000);

/** What may be asked about what a corpus is made of; `listed` says how many there are where no number is given. */
export const corpusInput = (listed: string) => ({
  recent: count.optional().describe(`Documents that changed last, to list (${listed}).`),
  topics: count.optional().describe(`Largest topics to list (${listed}).`),
  summarise: z
    .boolean()
    .default(false)
    .describe('Add what the corpus is about, as an answer with its sources.'),
});

/** What a corpus is made of. */
export const corpusOutput = {
  summary: summarySchema.optional().describe('What it is about, with sources; with `summarise`.'),
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
};

/** Lists what changed last and the largest topics of an index, and sums it up; it is not read where nothing is asked. */
export async function* corpusOf(
  project: Project,
  { recent, topics, summarise }: { recent: number; topics: number; summarise: boolean },
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, z.output<z.ZodObject<typeof corpusOutput>>> {
  if (recent + topics === 0 && !summarise) return { recent: [], topics: [] };
  const all = await (await project.store()).documents();
  // What is, and not how it came to be.
  const documents = all
    .filter(({ uri }) => !isCommit(uri))
    .toSorted((one, other) => other.modifiedAt - one.modifiedAt || (one.uri < other.uri ? -1 : 1));
  const chunksOf = new Map((await project.manifest()).map(({ uri, chunks }) => [uri, chunks]));
  const counted = documents.map(({ uri, title }) => ({ uri, title, chunks: chunksOf.get(uri) ?? 0 }));
  const summary = summarise ? yield* summaryOf(project, documents, signal) : undefined;
  return {
    ...(summary && { summary }),
    recent: documents.slice(0, recent).map(({ uri, title, type, modifiedAt }) => ({
      path: uri,
      title,
      type,
      modified_at: new Date(modifiedAt).toISOString(),
    })),
    topics: largestTopics(counted, topics).map((topic) => ({ ...topic, words: [...topic.words] })),
  };
}
