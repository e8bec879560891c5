import { z } from 'zod';
import { placeSchema } from '../../core/place.ts';
import { lastCommitsFields } from './last-commits.ts';

const lineRange = z.tuple([z.int(), z.int()]);

const thousandths = z.number().min(0);

const wordBoxSchema = z.object({
  start: z.int().describe('Where the word begins and ends in `text`.'),
  end: z.int(),
  page: z.int().min(1),
  left: thousandths.describe(
    'In thousandths of the width of the page, as `width`; `top` and `height` of its height.',
  ),
  top: thousandths,
  width: thousandths,
  height: thousandths,
});

/** A definition or heading of a file, as an outline lists it. */
export const outlineEntrySchema = z.object({
  name: z.string(),
  kind: z.string(),
  depth: z.int().describe('How deep it lies in others, from 0.'),
  citation: z.string(),
  signature: z.string(),
});

/** What is read of one place. */
export const readingSchema = z.object({
  path: z.string(),
  citation: z.string().describe('Path and place, for a person: `src/a.ts:3-9`, `report.pdf, page 3`.'),
  place: placeSchema,
  lines: lineRange
    .optional()
    .describe('First and last line of the file; absent where the place is not given in lines.'),
  text_lines: lineRange.describe("First and last line of the document's text."),
  total_lines: z.int().describe('Last line of the document.'),
  section: z.string().describe('Heading path or scope where it begins.'),
  text: z.string().describe('As indexed: secrets are blacked out, and other formats are their text.'),
  tokens: z.int(),
  is_cut: z.boolean().describe('Whether the end did not fit.'),
  next: z.string().optional().describe('The lines to read on with after a cut.'),
  folded: z
    .array(z.object({ lines: lineRange, names: z.array(z.string()).describe('What begins in them.') }))
    .optional()
    .describe(
      'With `for`, lines that are left out, as they are asked for (of the file, else of its text): one line stands in `text` for each.',
    ),
  facts: z
    .string()
    .optional()
    .describe('Of a definition in code: who calls it, what it calls, where it is tested.'),
  outline: z
    .array(outlineEntrySchema)
    .optional()
    .describe('What the rest of a file has that does not fit; then less of its beginning is read.'),
  ...lastCommitsFields,
  words: z
    .array(wordBoxSchema)
    .optional()
    .describe('With `boxes`, of a picture: where its words stand, in the order of the text.'),
  others: z
    .array(z.object({ path: z.string(), citation: z.string(), kind: z.string(), signature: z.string() }))
    .describe('Further definitions of the symbol, or messages with the same citation.'),
});

/** What was read of one place, as data for a surface. */
export type ReadPlace = z.output<typeof readingSchema>;
