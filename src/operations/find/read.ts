import { z } from 'zod';
import type { OutlineEntry } from '../../calls/graph-outcomes.ts';
import type { Project, ReadOptions } from '../../calls/project.ts';
import { asQuarryError, errorToData, QuarryError } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { maxQueryLength, requireQuery } from '../../core/query.ts';
import type { Reading } from '../../core/reading.ts';
import { neighboursSchema, tokensSchema } from '../../core/search-options.ts';
import { citationOf, linesOf } from '../../core/text/citation.ts';
import { defineOperation } from '../operation.ts';
import { lastCommitsOf } from './last-commits.ts';
import { type ReadPlace, readingSchema } from './reading-schema.ts';
import { updateField } from './retrieval.ts';

/** Stands for the last line of any file. */
const endOfFile = 999_999_999;
/** Tokens that are read where the caller names no limit: of several places what programs that run commands for a model still show. */
const tokensOfOne = 4096;
const tokensOfSeveral = 7000;
/** The fewest tokens that are read of a place, where those before it took the rest. */
const minTokens = 200;

/** The max that can be asked for: all of nearly any document. */
const maxTokensOfAll = 1_000_000;

/** An outline with fewer entries says less than the text. */
const minEntries = 3;
/** The most entries of an outline, and what each takes. */
const maxEntries = 80;
const tokensPerEntry = 25;
/** The share of the tokens that the beginning of a file gets whose rest is shown as an outline. */
const beginningShare = 0.3;

/** Places that one call may name. */
const maxPlaces = 20;

const readInput = z.strictObject({
  places: z
    .array(z.string().min(1).max(5000))
    .max(maxPlaces)
    .default([])
    .describe(
      'A place as a search shows it: `src/a.ts`, `src/a.ts:10-40`, `src/a.ts#Store.put`, `Store.put`, `report.pdf, page 3`; several at once.',
    ),
  path: z.string().min(1).optional().describe('A file, in place of `places`; also with its lines.'),
  lines: z
    .string()
    .regex(/^\d{1,9}(-(\d{1,9})?)?$/, 'write lines like 10-40, 10 or 10-')
    .optional()
    .describe(
      'Only these lines of the path: `10-40`, `10`, or `10-` for the rest. Of a format without lines, lines of its text.',
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
    .describe('This chunk of the path, by its identity in a search result.'),
  neighbours: neighboursSchema.default(0).describe('Chunks to show before and after.'),
  max_tokens: tokensSchema
    .optional()
    .describe(
      'Maximum tokens of all texts (4096; of several places 7000); the rest can be read on from `next`.',
    ),
  for: z
    .string()
    .max(maxQueryLength)
    .optional()
    .describe(
      'Of a long file or definition only what answers this question, and the structure around it; the rest is folded, with its lines and names. Lines are read as they stand.',
    ),
  full: z.boolean().default(false).describe('All of it, however long: nothing is folded or cut.'),
  commits: z
    .boolean()
    .default(false)
    .describe(
      'Also the last commits of the lines, or of the file; where `quarry index --history` lets git be run.',
    ),
  boxes: z
    .boolean()
    .default(false)
    .describe('Also where each word stands on its page, of a picture or a scanned PDF.'),
  numbers: z.boolean().optional().describe('Number the lines where people read them; true by default.'),
  update: updateField,
});

type ReadInput = z.output<typeof readInput>;

/** Reads stretches of documents from the index. */
export const readOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  takesSeveral: { placesIn: 'places' },
  positionals: ['places'],
  input: readInput,
  output: readingSchema.extend({
    further: z.array(readingSchema).optional().describe('The other places, in their order.'),
    failed: z
      .array(z.object({ place: z.string(), message: z.string(), remedy: z.string() }))
      .optional()
      .describe('Places that could not be read while others could.'),
    numbers: z.boolean().optional().describe('False where lines are not to be numbered.'),
    warnings: z.array(problemSchema),
  }),
  examples: [
    { input: { places: ['src/store.ts:10-40'] }, explains: 'lines of a file' },
    { input: { places: ['putDocument'] }, explains: 'a whole definition, wherever it is' },
    {
      input: { places: ['src/store.ts#Store.put', 'src/store.ts#Store.get', 'docs/guide.md:1-20'] },
      explains: 'several places at once',
    },
    {
      input: { places: ['src/store.ts', 'src/run.ts'], for: 'when is the lock let go?' },
      explains: 'of long files what answers a question',
    },
    { input: { places: ['putDocument'], commits: true }, explains: 'who wrote it, when and why' },
    { input: { places: ['docs/guide.md'], max_tokens: 800 }, explains: 'the beginning of a file' },
  ],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  async *run(project, input, { signal }) {
    const asked = wantedBy(input);
    if (input.for !== undefined) requireQuery(input.for);
    if (input.for !== undefined && input.boxes && !input.full)
      throw misuse('Where words stand is said of whole texts.', 'Leave out `boxes`, or `for`.');
    const { answerFresh } = await import('../../runs/update/freshen-project.ts');
    const update = project.freshen({ update: input.update, vectors: false, signal });
    const { outcome, fresh } = yield* answerFresh(update, ({ warnings }) =>
      readEach(project, warnings, input, asked, signal),
    );
    const [first, ...further] = outcome.readings;
    return {
      ...first,
      ...(further.length > 0 && { further }),
      ...(outcome.failed.length > 0 && { failed: outcome.failed }),
      ...(input.numbers === false && { numbers: false }),
      warnings: [...fresh.warnings, ...outcome.warnings].map(errorToData),
    };
  },
});

interface Outcome {
  readonly readings: readonly [ReadPlace, ...ReadPlace[]];
  readonly failed: { place: string; message: string; remedy: string }[];
  /** What the searches for the question had to do without, each once. */
  readonly warnings: readonly QuarryError[];
}

/** Reads all places within the tokens that they share. What is wrong with one is an error only where none can be read. */
async function readEach(
  project: Project,
  warnings: readonly QuarryError[],
  input: ReadInput,
  asked: readonly ReadOptions[],
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const found: { readonly options: ReadOptions; readonly known: Known }[] = [];
  const failed: { error: QuarryError; place: string }[] = [];
  const room = roomFor(input, asked.length);
  const question = input.full ? undefined : input.for;
  const readWithin = async (options: ReadOptions, max: number): Promise<Known> => {
    const rest = { neighbours: input.neighbours, for: question, update: false, signal };
    const read = (maxTokens: number) =>
      readNow(project, warnings, {
        ...options,
        ...rest,
        maxTokens: Math.min(maxTokensOfAll, Math.max(minTokens, maxTokens)),
      });
    // Text without numbers is copied: it stays the text of the file.
    return input.numbers === false
      ? { reading: await read(max), more: {} }
      : withGraph(project, read, Math.max(minTokens, max));
  };
  for (const options of asked) {
    try {
      found.push({ options, known: await readWithin(options, room) });
    } catch (thrown) {
      const error = asQuarryError(thrown);
      if (error.code !== 'document-not-found' && error.code !== 'path-outside-root') throw thrown;
      failed.push({ error, place: options.place ?? options.path ?? '' });
    }
  }
  const share = shareOf(
    found.map(({ known }) => known.reading.tokens),
    room,
  );
  const readings: ReadPlace[] = [];
  const warned = new Map<string, QuarryError>();
  for (const { options, known } of found) {
    const { reading, more } = known.reading.tokens > share ? await readWithin(options, share) : known;
    const commits = input.commits ? await lastCommitsOf(project, reading, signal) : {};
    const words = input.boxes && reading.words.length > 0 ? { words: [...reading.words] } : {};
    for (const warning of reading.warnings ?? []) warned.set(warning.message, warning);
    readings.push({ ...readingOf(reading, options.lines), ...more, ...commits, ...words });
  }
  const [first, ...others] = readings;
  const [wrong] = failed;
  if (!first)
    throw wrong?.error ?? misuse('The call names nothing to read.', 'Name a place as a search shows it.');
  return {
    readings: [first, ...others],
    failed: failed.map(({ place, error: { message, remedy } }) => ({ place, message, remedy })),
    warnings: [...warned.values()],
  };
}

function roomFor({ full, max_tokens: given }: ReadInput, places: number): number {
  if (full) return places * maxTokensOfAll;
  return given ?? (places > 1 ? tokensOfSeveral : tokensOfOne);
}

/** The most tokens of one place, so that all fit: what short ones do not need is left to the long ones. */
function shareOf(tokens: readonly number[], room: number): number {
  let left = room;
  const sorted = [...tokens].sort((one, other) => one - other);
  for (const [at, size] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - at));
    if (size > share) return share;
    left -= size;
  }
  return room;
}

interface Known {
  readonly reading: Reading;
  readonly more: Pick<ReadPlace, 'facts' | 'outline'>;
}

/**
 * What is read, with what the graph of the code knows of it: facts of a definition; of a file that does not fit, what the rest of
 * it has, for which less of its beginning is read. Where the graph cannot be read there is only the text.
 */
async function withGraph(
  project: Project,
  read: (max: number) => Promise<Reading>,
  room: number,
): Promise<Known> {
  const reading = await read(room);
  const { uri, asked, place } = reading;
  if (asked?.kind === 'definition') {
    const [facts = ''] = await project.graph.facts([`${uri}#${asked.name}`]).catch((): string[] => []);
    return { reading, more: facts === '' ? {} : { facts } };
  }
  if (reading.folded || asked?.kind !== 'document' || place.kind !== 'lines' || !reading.isCut)
    return { reading, more: {} };
  // Reading does without an outline where the graph cannot be read; a question to the graph itself fails with the reason.
  const entries = await project.graph.outline(uri, { update: false, fill: false }).then(
    (outline) => outline.entries,
    () => [],
  );
  if (entries.length < minEntries) return { reading, more: {} };
  const beginning = await read(Math.floor(room * beginningShare));
  const outline = restOf(entries, beginning, room - beginning.tokens);
  return { reading: beginning, more: { outline } };
}

/** The entries of an outline that end behind what is shown, without the deepest ones where there are too many. */
function restOf(
  entries: readonly OutlineEntry[],
  { textLines: [, last] }: Reading,
  room: number,
): NonNullable<ReadPlace['outline']> {
  const max = Math.min(maxEntries, Math.floor(room / tokensPerEntry));
  const left = entries.filter(({ citation }) => Number(/(\d+)$/.exec(citation)?.[1] ?? last + 1) > last);
  const depths = [...new Set(left.map(({ depth }) => depth))].sort((one, other) => other - one);
  const fitting = depths
    .map((deepest) => left.filter(({ depth }) => depth <= deepest))
    .find((some) => some.length <= max);
  return (fitting ?? left.slice(0, max)).map((entry) => ({ ...entry }));
}

function readingOf(reading: Reading, lines: readonly [number, number] | undefined): ReadPlace {
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
    ...(reading.folded && {
      folded: reading.folded.map(({ lines: [first, last], names }) => ({
        lines: [first, last],
        names: [...names],
      })),
    }),
    others: reading.others.map(({ uri: path, place: where, symbol: { kind, signature } }) => ({
      path,
      citation: citationOf(path, where),
      kind,
      signature,
    })),
  };
}

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

/** What is to be read: places as they are shown, or one that is named in parts. */
function wantedBy({ places, path, lines, symbol, chunk }: ReadInput): ReadOptions[] {
  const inParts = [lines, symbol, chunk].filter((given) => given !== undefined);
  if (inParts.length > 1)
    throw misuse('Lines, a symbol and a chunk exclude each other.', 'Name one of them.');
  if (chunk !== undefined && path === undefined && places.length !== 1)
    throw misuse('A chunk is named within its file.', 'Add the path of the search result.');
  const [only, ...others] = places;
  if (inParts.length > 0 || path !== undefined) {
    if (others.length > 0 || (path !== undefined && only !== undefined))
      throw misuse('Places and a path exclude each other.', 'Name places alone, each with its lines.');
    const file = path ?? only;
    if (inParts.length === 0 && file !== undefined) return [{ place: file }];
    const named = { ...(file !== undefined && { path: file }), ...(symbol !== undefined && { symbol }) };
    return [{ ...named, ...(chunk !== undefined && { chunk }), ...(lines && { lines: rangeOf(lines) }) }];
  }
  return places.map((place) => ({ place }));
}

function rangeOf(lines: string): readonly [number, number] {
  const [first = '', last] = lines.split('-');
  const range = [Number(first), last === undefined ? Number(first) : Number(last || endOfFile)] as const;
  if (range[0] < 1 || range[1] < range[0])
    throw misuse(`"${lines}" is not a range of lines.`, 'Write lines like 10-40.');
  return range;
}

function nextOf(nextLine: number, lines: readonly [number, number] | undefined): string {
  return lines && lines[1] < endOfFile ? `${nextLine}-${lines[1]}` : `${nextLine}-`;
}

function misuse(message: string, remedy: string): QuarryError {
  return new QuarryError('usage-invalid', message, remedy);
}
