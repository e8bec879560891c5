import { z } from 'zod';

const count = z.int().min(1);

const cellPoint = z.object({
  cell: count,
  line: count.optional().describe('Line within the source of the cell; absent in its output.'),
});
const messagePoint = z.object({
  message: count.describe('Its number in the file.'),
  subject: z.string().describe('Empty where it has none.'),
  date: z.string().optional().describe('When it was written, in ISO 8601; absent where that is not known.'),
});
const paragraphPoint = z.object({
  heading: z
    .string()
    .describe('Headings above it, outermost first, joined by ` > `; empty before the first.'),
  paragraph: z.int().min(0).describe('Number of the paragraph below its heading; 0 is the heading itself.'),
});

const sheetPoint = z.object({
  sheet: z.string().describe('Its name.'),
  row: count,
  columns: z
    .string()
    .describe('The columns of the sheet that have a content: `A:F`, or `B` where it is one.'),
});
const slidePoint = z.object({
  slide: count,
  notes: z.literal(true).optional().describe('In the notes of the speaker; absent on the slide itself.'),
});
const entryPoint = z.object({
  entry: count.describe('Its number in the file.'),
  name: z.string().describe('Title of the event, name of the person; empty where it has none.'),
  date: z
    .string()
    .optional()
    .describe('The day that it begins on, as `2026-03-01`; absent where it has none.'),
});

function range<Kind extends string, Point extends z.ZodType>(kind: Kind, means: string, point: Point) {
  return z.object({ kind: z.literal(kind), first: point, last: point }).describe(means);
}

/** Where a text is, as a person finds it in the file. Numbers are counted from 1, and `last` belongs to the range. */
export const placeSchema = z
  .discriminatedUnion('kind', [
    range('lines', 'Lines of the file.', count),
    range('pages', 'Pages of a PDF.', count),
    range('cells', 'Cells of a notebook.', cellPoint),
    range('messages', 'Messages of an e-mail file or a mailbox.', messagePoint),
    range(
      'paragraphs',
      'Paragraphs of a text file of an office program, or of a book, whose headings are its chapters.',
      paragraphPoint,
    ),
    range('sheets', 'Rows of a spreadsheet.', sheetPoint),
    range('slides', 'Slides of a presentation.', slidePoint),
    range('entries', 'Events of a calendar, or contacts of an address book.', entryPoint),
    range('keys', 'Key paths such as `$.users[3]`, where the lines of a data file say nothing.', z.string()),
  ])
  .describe('Where it is, as a person finds it in the file.');
export type Place = Readonly<z.output<typeof placeSchema>>;

/** Where each stretch of an extracted text comes from: a stretch goes from its mark to the next, the first from 0. */
export type PlaceMarks = {
  [Kind in Place['kind']]: {
    readonly kind: Kind;
    /** In the order of the text; never empty. */
    readonly marks: readonly PlaceMark<Extract<Place, { kind: Kind }>['first']>[];
  };
}[Place['kind']];

/** The offset in the text where a stretch begins, and its point in the file. */
export interface PlaceMark<Point> {
  readonly start: number;
  readonly at: Point;
}
