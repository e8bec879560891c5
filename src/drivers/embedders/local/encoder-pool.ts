import type { SketchedVectors } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import { createModelThreads, type SharedModel } from '../../../models/inference/model-threads.ts';
import { unlessAborted } from '../../../platform/abort.ts';
import { threadFile } from '../../../platform/package-folder.ts';
import { RecentValues } from '../../../platform/recent-values.ts';

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

/** What questions were made into a moment ago: several projects are asked the same one at once. */
const questions = new RecentValues<Promise<SketchedVectors>>(8);

/** The same for a question: asked in several projects at once, the model works once. What it made must not be changed. */
export function encodeQuestion(
  key: SharedModel,
  request: EncoderRequest,
  signal?: AbortSignal,
): Promise<SketchedVectors> {
  const name = JSON.stringify([key, request]);
  const encode = (): Promise<SketchedVectors> => {
    const known = questions.get(name);
    if (known) return known;
    // Nobody who stops waiting stops the others.
    const made = callEncoder(key, request).catch((thrown: unknown) => {
      questions.delete(name);
      throw thrown;
    });
    questions.set(name, made);
    return made;
  };
  return unlessAborted(encode, signal);
}
