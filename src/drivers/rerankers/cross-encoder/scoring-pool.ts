import { QuarryError } from '../../../core/errors.ts';
import { createModelThreads } from '../../../models/inference/model-threads.ts';
import { threadFile } from '../../../platform/package-folder.ts';

/** What the model's thread is asked for: a score for each chunk. */
export interface ScoringRequest {
  readonly query: string;
  readonly chunks: readonly string[];
}

/** Asks the least busy copy of the model; all projects of a process share them. */
export const callScorer = createModelThreads<ScoringRequest, readonly number[]>({
  file: threadFile('drivers/rerankers/cross-encoder/scoring-thread'),
  crashed: (reason) =>
    new QuarryError(
      'model-failed',
      `The thread of the reranking model stopped: ${reason}.`,
      'Run the command again; if it happens again, set resources.threads to 1.',
    ),
});
