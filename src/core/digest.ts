import { z } from 'zod';

/** Lines of a document without a gap. */
const piece = z.object({
  line: z.int().optional().describe('First line, counted from 1; absent where the file has no lines.'),
  text: z.string(),
});

const place = {
  path: z.string(),
  citation: z.string().describe('Path and place, as `read` takes it.'),
  name: z.string().describe('What is there: a definition with its scope, or a heading; may be empty.'),
  relevance: z.number().min(0).max(1),
  chunk: z.string().describe('Identity of the chunk.'),
  further: z.array(z.string()).describe('Further places of the same document that were found.'),
  beside: z
    .object({ citation: z.string(), name: z.string(), pieces: z.array(piece) })
    .optional()
    .describe('A few lines of the best further place of the first document; no longer among `further`.'),
};

/** What is shown of hits to people and agents: as much as the evidence is worth. */
export const digestSchema = z.object({
  verdict: z
    .enum(['clear', 'open', 'weak', 'listed', 'none'])
    .describe(
      'Whether the first hit is strong, possible or weak, hits of a literal text are listed as they stand, or there are none.',
    ),
  lead: z
    .object({
      ...place,
      pieces: z.array(piece).describe('Its text; what is left out lies between the pieces.'),
      is_whole: z.boolean().describe('Whether nothing but parts of comments is left out.'),
      chunks: z.array(z.string()).describe('Identities of the chunks that it shows whole.'),
      facts: z
        .string()
        .optional()
        .describe(
          'Of code: who calls it, what it calls, where it is tested; absent where that is not known.',
        ),
    })
    .optional()
    .describe('The first hit with its text; absent where it is weak.'),
  places: z
    .array(
      z.object({
        ...place,
        about: z.string().describe('The first sentence of its comment, or the line that matches best.'),
        pieces: z
          .array(piece)
          .optional()
          .describe('A few lines of it that match; of the first ones that are near the best.'),
        was_shown: z.boolean().optional().describe('Whether the caller has said that it knows the text.'),
      }),
    )
    .describe('The other hits, a line each.'),
  weaker: z.array(z.string()).describe('Citations of weak hits far below the first, which get no line.'),
  next: z
    .array(z.string())
    .describe('What is shown in part, as `read` takes it: definitions that are likely to be wanted whole.'),
  is_long: z
    .boolean()
    .optional()
    .describe(
      'Whether a definition in `next` is so long that `read` had better be given the question (`for`).',
    ),
  words: z
    .array(z.string())
    .describe(
      'Words of the project near those of the query: where all is weak, or a word of it stands nowhere.',
    ),
  missing: z.array(z.string()).describe('Words of the query that no text has; where all is weak.'),
});

/** What is shown of hits. */
export type Digest = z.output<typeof digestSchema>;
/** The hit whose text is shown. */
export type DigestLead = NonNullable<Digest['lead']>;
/** A hit that is shown on one line. */
export type DigestPlace = Digest['places'][number];
