import type { SketchedVectors } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { createModelThreads } from '../../../models/inference/model-threads.ts';
import { threadFile } from '../../../platform/package-folder.ts';

/** What the model's thread is asked for: one vector for each text, that with a sketch, or all vectors of the tokens of each. */
export interface EncoderRequest {
  readonly want: 'vectors' | 'vectors-and-sketches' | 'token-vectors';
  readonly texts: readonly string[];
}

/** Asks the least busy copy of the model; all embedders of a process share them. Sketches are none where none were asked for. */
export const callEncoder = createModelThreads<EncoderRequest, SketchedVectors>({
  file: threadFile('drivers/embedders/local/encoder-thread'),
  crashed: (reason) =>
    new QuarryError(
      'embedding-failed',
      `The thread of the embedding model stopped: ${reason}.`,
      'Run the command again; if it happens again, set resources.threads to 1.',
    ),
});
