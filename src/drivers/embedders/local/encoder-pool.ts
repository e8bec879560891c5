import { QuarryError } from '../../../core/errors.ts';
import { createModelThreads } from '../../../models/inference/model-threads.ts';
import { threadFile } from '../../../platform/package-folder.ts';

/** What the model's thread is asked for: one vector for each text, or all vectors of the tokens of each. */
export interface EncoderRequest {
  readonly want: 'vectors' | 'token-vectors';
  readonly texts: readonly string[];
}

/** Asks the least busy copy of the model; all embedders of a process share them. */
export const callEncoder = createModelThreads<EncoderRequest, Float32Array[]>({
  file: threadFile('drivers/embedders/local/encoder-thread'),
  crashed: (reason) =>
    new QuarryError(
      'embedding-failed',
      `The thread of the embedding model stopped: ${reason}.`,
      'Run the command again; if it happens again, set embedder.threads to 1.',
    ),
});
