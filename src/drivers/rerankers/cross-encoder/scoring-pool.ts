import { extname } from 'node:path';
import { QuarryError } from '../../../core/errors.ts';
import { createThreadPools } from '../../inference/thread-pools.ts';

/** What the model's thread is asked for: a score for each passage. */
export interface ScoringRequest {
  readonly question: string;
  readonly passages: readonly string[];
}

/** Asks the least busy copy of the model; all projects of a process share them. */
export const callScorer = createThreadPools<ScoringRequest, readonly number[]>({
  // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
  file: new URL(`./scoring-thread${extname(import.meta.url)}`, import.meta.url),
  crashed: (reason) =>
    new QuarryError(
      'reranking-failed',
      `The thread of the reranking model stopped: ${reason}.`,
      'Run the command again; if it happens again, set reranker.threads to 1.',
    ),
});
