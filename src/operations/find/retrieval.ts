import { z } from 'zod';
import type { Project, SearchOutcome } from '../../calls/project.ts';
import { errorToData, type QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import type { Filter } from '../../core/filter.ts';
import { type FirstLook, firstLookSchema, firstLookToData } from '../../core/first-look.ts';
import { type IndexSummary, indexSummarySchema } from '../../core/index-summary.ts';
import { isLiteral, usesVectors } from '../../core/query.ts';
import { type SearchChoices, searchFields } from '../../core/search-options.ts';
import { camelCased } from '../../core/text/camel-case.ts';
import type { RunOptions } from '../operation.ts';
import { type FilterInput, filterOf } from './filter-input.ts';

/** Whether the index is brought up to date before it is searched. */
export const updateField = z
  .boolean()
  .optional()
  .describe('Bring the index up to date first (index.on_search).');

/** Whether a block for a prompt is marked as data. */
export const fenceField = z
  .boolean()
  .default(true)
  .describe('Put the texts between two lines that no document can know, labelled as data.');

/** What every result of a retrieval says of the index that it comes from. */
export const stateFields = {
  warnings: z.array(problemSchema),
  pending: z.int().describe('Chunks that vector search does not cover yet.'),
  indexed: indexSummarySchema.optional().describe('Summary of the run that brought the index up to date.'),
  first_look: firstLookSchema
    .optional()
    .describe('How much was seen, where the answer did not wait until all files are indexed.'),
};

interface State {
  readonly warnings: readonly QuarryError[];
  readonly pending: number;
  readonly indexed?: IndexSummary | undefined;
  readonly firstLook?: FirstLook | undefined;
}

/** The state of the index as data. */
export function stateOf({ warnings, pending, indexed, firstLook }: State) {
  return {
    warnings: warnings.map(errorToData),
    pending,
    ...(indexed && { indexed }),
    ...(firstLook && { first_look: firstLookToData(firstLook) }),
  };
}

/** An input with options of a search. */
type SearchInput = FilterInput & {
  readonly [Name in keyof typeof searchFields]?: z.output<(typeof searchFields)[Name]> | undefined;
};

/** The options of a search in an input, as the library takes them. */
export function searchOptionsOf(input: SearchInput): SearchChoices & { readonly filter?: Filter } {
  const chosen = Object.entries(input).filter(([name]) => name in searchFields);
  const filter = filterOf(input);
  return { ...camelCased(Object.fromEntries(chosen)), ...(filter && { filter }) };
}

/** What an update before an answer depends on. */
interface Updated extends Pick<SearchChoices, 'route' | 'denseWeight'> {
  readonly update?: boolean | undefined;
  /** What is to be answered; absent where that takes all files. */
  readonly question?: string | undefined;
  readonly filter?: Filter;
}

/** Brings the index up to date as the input asks, then answers from it as it is; the outcome says what came of both. */
export async function* answerUpdated<
  Outcome extends Pick<SearchOutcome, 'warnings' | 'indexed' | 'firstLook'>,
  Event = never,
>(
  project: Project,
  { update, question, filter, ...choices }: Updated,
  { signal, vectorsLater }: RunOptions,
  answer: (options: {
    readonly update: false;
    readonly signal?: AbortSignal | undefined;
  }) => Promise<Outcome> | AsyncGenerator<Event, Outcome>,
): AsyncGenerator<IndexEvent | Event, Outcome> {
  const byMeaning = usesVectors(choices);
  const vectors = byMeaning && !vectorsLater;
  const { answerFresh, withFreshness } = await import('../../runs/update/freshen-project.ts');
  // Who asks for the update itself waits for all of it, and a literal text is counted, which takes all files.
  const isPart = question !== undefined && update === undefined && !isLiteral(choices.route);
  const about = isPart && { question: { text: question, filter, byMeaning, restLater: vectorsLater } };
  const { outcome, fresh } = yield* answerFresh(project.freshen({ update, vectors, signal, ...about }), () =>
    answer({ update: false, signal }),
  );
  return withFreshness(outcome, fresh);
}
