import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { answerKinds } from '../../core/answer.ts';
import type { DocumentRecord } from '../../core/document.ts';
import type { AnswerEvent } from '../../core/events.ts';
import { sourceOf, sourceSchema } from '../find/context-source.ts';

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

/** Documents that a summary is made from … */
const maxDocuments = 10;
/** … and of these, the ones that introduce it. */
const maxIntroducing = 3;

/** Sums up a project from the beginnings of documents that introduce it, and of some of each of its folders. */
export async function* summaryOf(
  project: Project,
  /** Newest first. */
  documents: readonly Pick<DocumentRecord, 'uri' | 'type'>[],
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent, z.output<typeof summarySchema>> {
  const manual = representatives(documents);
  const { answer, kind, model, sources } = yield* project.ask(question, {
    // What was chosen is all that is used: the question alone would find anything.
    threshold: 1,
    update: false,
    manual,
    beginnings: true,
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

/** Documents that stand for all: those that introduce it, then one of each folder in turn, largest folder first, prose before code. */
function representatives(documents: readonly Pick<DocumentRecord, 'uri' | 'type'>[]): string[] {
  const depth = (uri: string): number => uri.split('/').length;
  const uris = documents.map(({ uri }) => uri);
  const introducing = uris
    .filter((uri) => introduces.test(uri))
    .toSorted((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
  const first = introducing.slice(0, maxIntroducing);
  const byProse = [...documents.filter(({ type }) => type !== 'code'), ...documents]
    .map(({ uri }) => uri)
    .filter((uri) => !first.includes(uri));
  const folders = [...Map.groupBy(new Set(byProse), (uri) => uri.split('/').slice(0, -1).join('/')).values()];
  folders.sort((one, other) => other.length - one.length);
  const turns = Array.from({ length: maxDocuments }, (_, turn) => folders.map((members) => members[turn]));
  return [...first, ...turns.flat().filter((uri) => uri !== undefined)].slice(0, maxDocuments);
}
