import { z } from 'zod';
import { answerKinds } from '../core/answer.ts';
import type { AnswerEvent } from '../core/events.ts';
import type { Project } from '../project/project.ts';
import { sourceOf, sourceSchema } from './context-source.ts';

/** What a project is about, as an answer with its sources. */
export const summarySchema = z.object({
  answer: z.string().describe('The text; numbers in brackets are sources.'),
  kind: z.enum(answerKinds),
  model: z.string().optional().describe('The model that wrote it.'),
  sources: z.array(sourceSchema.omit({ text: true })).describe('Those that sentences rest on.'),
});

const question = 'What is this about, what is it for, and what are its main parts?';

/** Documents that say what a folder is about, by their names. */
const introduces =
  /(?:^|\/)(?:readme|overview|introduction|about|index)[^/]*\.(?:md|mdx|txt|rst|adoc|html?)$/i;

/** Documents that a summary is made from. */
const mostDocuments = 3;

/** Sums up a project from the documents that introduce it, or those that changed last. */
export async function* summaryOf(
  project: Project,
  /** Newest first. */
  uris: readonly string[],
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, z.output<typeof summarySchema>> {
  const depth = (uri: string): number => uri.split('/').length;
  const introducing = uris
    .filter((uri) => introduces.test(uri))
    .toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
  const manual = (introducing.length > 0 ? introducing : uris).slice(0, mostDocuments);
  const { answer, kind, model, sources } = yield* project.ask(question, {
    // What was chosen is all that is used: the question alone would find anything.
    threshold: 1,
    update: false,
    manual,
    ...(signal && { signal }),
  });
  return {
    answer,
    kind,
    ...(model !== undefined && { model }),
    sources: sources
      .filter(({ isCited }) => isCited)
      .map((source) => {
        const { text: _, ...data } = sourceOf(source);
        return data;
      }),
  };
}
