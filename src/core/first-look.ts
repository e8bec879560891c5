import { z } from 'zod';
import { QuarryError } from './errors.ts';
import { counted } from './text/counted.ts';

/** The shape of it as data. */
export const firstLookSchema = z.object({
  files: z.int().describe('Files that may be indexed, as far as they are known.'),
  looked_at: z.int().describe('Files whose text was looked at for the words of the question.'),
  read: z.int().describe('Files that were likeliest by that, and that the answer comes from.'),
  is_complete: z.boolean().describe('Whether every file that the answer may come from was looked at.'),
  is_rough: z
    .boolean()
    .describe(
      'Whether what is meant was compared roughly, by a table of word pieces, since that would have waited for a model.',
    ),
});

/** How much an answer has seen of a project whose files are not all indexed yet. */
export interface FirstLook {
  /** Files that may be indexed, as far as they are known. */
  readonly files: number;
  /** Files whose text was looked at for the words of the question. */
  readonly lookedAt: number;
  /** Files that were likeliest by that: the answer comes from them, and from what is indexed besides. */
  readonly read: number;
  /** Whether every file that the answer may come from was looked at. */
  readonly isComplete: boolean;
  /** Whether what is meant was compared roughly, by a table of word pieces, since that would have waited for a model. */
  readonly isRough: boolean;
}

/** The note of an answer that did not wait for the index. */
export function firstLookNote(
  { files, lookedAt, read, isComplete, isRough }: FirstLook,
  restLater: boolean,
): QuarryError {
  const looked = isComplete ? '' : ` after a look at ${lookedAt}`;
  const compared = isRough ? ', and roughly compared with the question, without a model' : '';
  return new QuarryError(
    'index-stale',
    `This is a first look: not all files are indexed yet, and the ${read} likeliest of ${counted(files, 'file')} were read for it${looked}${compared}.`,
    restLater
      ? 'The rest is being indexed; ask again in a moment for all of it.'
      : 'The next search indexes the rest; to have it done now, run: quarry index',
  );
}

/** A first look as data. */
export function firstLookToData({
  files,
  lookedAt,
  read,
  isComplete,
  isRough,
}: FirstLook): z.output<typeof firstLookSchema> {
  return { files, looked_at: lookedAt, read, is_complete: isComplete, is_rough: isRough };
}
