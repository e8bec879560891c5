import { z } from 'zod';
import { asQuarryError, errorToData, QuarryError } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { placeSchema } from '../../core/place.ts';
import { neighboursSchema, tokensSchema } from '../../core/search-options.ts';
import { citationOf, linesOf } from '../../core/text/citation.ts';
import type { Project, Reading, ReadOptions } from '../../project/project.ts';
import { defineOperation } from '../operation.ts';
import { updateField } from './retrieval.ts';

const lineRange = z.tuple([z.int(), z.int()]);

/** Reads a stretch of one document from the index. */
export const readOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  positionals: ['path'],
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A file as a search shows it; also with its lines, as `src/a.ts:10-40`. May be absent for a symbol.',
      ),
    lines: z
      .string()
      .regex(/^\d{1,9}(-(\d{1,9})?)?$/, 'write lines like 10-40, 10 or 10-')
      .optional()
      .describe(
        'Only these lines: `10-40`, `10`, or `10-` for the rest. Of a format without lines, lines of its text.',
      ),
    symbol: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The definition of this name, whole: `search`, or `Store.search`.'),
    chunk: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('This chunk of the file, by its identity in a search result.'),
    neighbours: neighboursSchema.default(0).describe('Chunks to show before and after.'),
    max_tokens: tokensSchema
      .default(4096)
      .describe('Maximum tokens of the text; the rest can be read on from `next`.'),
    update: updateField,
  }),
  output: z.object({
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
    others: z
      .array(z.object({ path: z.string(), citation: z.string(), kind: z.string(), signature: z.string() }))
      .describe('Further definitions of the symbol.'),
    warnings: z.array(problemSchema),
  }),
  examples: [
    { input: { path: 'src/store.ts:10-40' }, explains: 'lines of a file' },
    { input: { symbol: 'putDocument' }, explains: 'a whole definition, wherever it is' },
    { input: { path: 'docs/guide.md', max_tokens: 800 }, explains: 'the beginning of a file' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  async *run(project, input, { signal }) {
    const { path, lines } = whereIn(input);
    const { answerFresh } = await import('../../project/freshen-project.ts');
    const update = project.freshen({ update: input.update, vectors: false, signal });
    const { outcome: reading, fresh } = yield* answerFresh(update, ({ warnings }) =>
      readNow(project, warnings, {
        ...(path !== undefined && { path }),
        ...(lines && { lines }),
        ...(input.symbol !== undefined && { symbol: input.symbol }),
        ...(input.chunk !== undefined && { chunk: input.chunk }),
        neighbours: input.neighbours,
        maxTokens: input.max_tokens,
        update: false,
        signal,
      }),
    );
    const { uri, place } = reading;
    const fileLines = linesOf(place);
    return {
      path: uri,
      citation: citationOf(uri, place),
      place,
      ...(fileLines && { lines: [...fileLines] as [number, number] }),
      text_lines: [...reading.textLines] as [number, number],
      total_lines: reading.totalLines,
      section: reading.section,
      text: reading.text,
      tokens: reading.tokens,
      is_cut: reading.isCut,
      ...(reading.nextLine !== undefined && { next: nextOf(reading.nextLine, lines) }),
      others: reading.others.map(({ uri: path, place, symbol: { kind, signature } }) => ({
        path,
        citation: citationOf(path, place),
        kind,
        signature,
      })),
      warnings: fresh.warnings.map(errorToData),
    };
  },
});

/** What is not found may be in files that are not indexed yet: then the error says so. */
async function readNow(
  project: Project,
  warnings: readonly QuarryError[],
  options: ReadOptions,
): Promise<Reading> {
  try {
    return await project.read(options);
  } catch (thrown) {
    const [warning] = warnings;
    const error = asQuarryError(thrown);
    if (!warning || error.code !== 'document-not-found') throw thrown;
    throw new QuarryError(error.code, error.message, `${error.remedy} ${warning.message}`);
  }
}

/** The path and the lines, where the path may be written as a citation of lines. */
function whereIn({ path, lines, symbol, chunk }: z.output<typeof readOperation.input>): {
  readonly path?: string | undefined;
  readonly lines?: readonly [number, number] | undefined;
} {
  const cited = lines === undefined ? /^(.+):(\d{1,9}(?:-\d{0,9})?)$/.exec(path ?? '') : undefined;
  const written = cited?.[2] ?? lines;
  if ([written, symbol, chunk].filter((given) => given !== undefined).length > 1)
    throw misuse('Lines, a symbol and a chunk exclude each other.', 'Name one of them.');
  if (chunk !== undefined && path === undefined)
    throw misuse('A chunk is named within its file.', 'Add the path of the search result.');
  if (written === undefined) return { path };
  const [first = '', last] = written.split('-');
  const range = [Number(first), last === undefined ? Number(first) : Number(last || 999_999_999)] as const;
  if (range[0] < 1 || range[1] < range[0])
    throw misuse(`"${written}" are no lines.`, 'Write lines like 10-40.');
  return { path: cited?.[1] ?? path, lines: range };
}

function nextOf(nextLine: number, lines: readonly [number, number] | undefined): string {
  return lines && lines[1] < 999_999_999 ? `${nextLine}-${lines[1]}` : `${nextLine}-`;
}

function misuse(message: string, remedy: string): QuarryError {
  return new QuarryError('usage-invalid', message, remedy);
}
