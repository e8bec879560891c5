import { extname } from 'node:path';
import { QuarryError } from '../../../core/errors.ts';
import { createThreadPools } from '../../inference/thread-pools.ts';

/** What the model's thread is asked for: one vector for each text, or all vectors of the tokens of each. */
export interface EncoderRequest {
  readonly want: 'vectors' | 'token-vectors';
  readonly texts: readonly string[];
}

/** Asks the least busy copy of the model; all embedders of a process share them. */
export const callEncoder = createThreadPools<EncoderRequest, Float32Array[]>({
  // The thread's file has this file's own extension: TypeScript when run from source, JavaScript when built.
  file: new URL(`./encoder-thread${extname(import.meta.url)}`, import.meta.url),
  crashed: (reason) =>
    new QuarryError(
      'embedding-failed',
      `The thread of the embedding model stopped: ${reason}.`,
      'Run the command again; if it happens again, set embedder.threads to 1.',
    ),
});
