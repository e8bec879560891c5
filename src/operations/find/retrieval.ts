import { z } from 'zod';
import { errorToData, type QuarryError } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { type IndexSummary, indexSummarySchema } from '../../core/index-summary.ts';
import { type FilterInput, filterOf } from './filter-input.ts';

/** Whether the index is brought up to date before it is searched. */
export const updateField = z
  .boolean()
  .optional()
  .describe('Bring the index up to date first (index.on_search).');

/** What every result of a retrieval says of the index that it comes from. */
export const stateFields = {
  warnings: z.array(problemSchema),
  pending: z.int().describe('Chunks that vector search does not cover yet.'),
  indexed: indexSummarySchema.optional().describe('Summary of the run that brought the index up to date.'),
};

interface State {
  readonly warnings: readonly QuarryError[];
  readonly pending: number;
  readonly indexed?: IndexSummary | undefined;
}

/** The state of the index as data. */
export function stateOf({ warnings, pending, indexed }: State) {
  return { warnings: warnings.map(errorToData), pending, ...(indexed && { indexed }) };
}

/** Inputs that bound what is retrieved. */
interface Bounds extends FilterInput {
  readonly top_k?: number | undefined;
  readonly threshold?: number | undefined;
  readonly max_tokens?: number | undefined;
}

/** The bounds of an input as a project takes them. */
export function boundsOf(input: Bounds) {
  const filter = filterOf(input);
  return {
    ...(input.top_k !== undefined && { topK: input.top_k }),
    ...(input.threshold !== undefined && { threshold: input.threshold }),
    ...(input.max_tokens !== undefined && { maxTokens: input.max_tokens }),
    ...(filter && { filter }),
  };
}
