import type { Store } from '../../contracts/store.ts';
import type { Chunk } from '../../core/chunk.ts';
import { QuarryError } from '../../core/errors.ts';
import type { Definition, Reading } from '../../core/reading.ts';
import { wordsOfText } from '../../core/word-box.ts';
import type { SearchResult } from '../search-request.ts';
import { type LineRange, linesOfChunk, readStretch } from '../windows/read-stretch.ts';
import type { CitedPart } from './cited-part.ts';
import { definitionIn, definitionsOf } from './find-definitions.ts';
import { type Found, findDocument, notFound, uriIn } from './find-document.ts';
import { foldForQuestion } from './fold-for-question.ts';
import { resolvePlace } from './resolve-place.ts';

/** What is to be read of a document: a cited place, lines, a definition, a chunk, or all of it. */
export interface ReadRequest {
  /** As a search shows it, in place of the next four. */
  readonly place?: string | undefined;
  /** Relative to the project, or absolute within it. */
  readonly path?: string | undefined;
  readonly lines?: readonly [first: number, last: number] | undefined;
  readonly symbol?: string | undefined;
  readonly chunk?: string | undefined;
  /** Chunks to read before and after. */
  readonly neighbours?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Of a long document or definition, only what answers this question. */
  readonly for?: string | undefined;
}

/** What reading needs beside a store. */
export interface ReadParts {
  countTokens(text: string): number;
  /** The chunks of a document that answer a question, best first, and what the search for them had to do without. */
  hitsIn(uri: string, question: string): Promise<Pick<SearchResult, 'hits' | 'warnings'>>;
}

/** Tokens of a document that are looked through for what answers a question: all of nearly any. */
const lookedThrough = 1_000_000;

/** Tokens that are read where the caller names no limit: as much as a search shows. */
const defaultTokens = 4096;

/** What is to be read: chunks of a document, and of them these lines. */
interface Wanted {
  readonly found: Found;
  /** First and last position of the chunks. */
  readonly range: LineRange;
  readonly lines?: LineRange | undefined;
  /** What of the chunks is named, and no more. */
  readonly part?: CitedPart | undefined;
  readonly asked?: Reading['asked'];
  readonly others: readonly Definition[];
}

/** Reads a stretch of a document from the index: a chunk, a definition, lines, a cited place, or all of it. */
export async function readStored(
  store: Store,
  folder: string,
  options: ReadRequest,
  parts: ReadParts,
): Promise<Reading> {
  const { neighbours = 0, maxTokens = defaultTokens, for: question } = options;
  const wanted = await wantedBy(store, folder, options);
  const { found, range, lines, asked, others } = wanted;
  const part = neighbours > 0 ? undefined : wanted.part;
  const [first, last] = range;
  const all = found.chunks;
  const shown = all.slice(Math.max(0, first - neighbours), last + neighbours + 1);
  const countTokens = (text: string): number => parts.countTokens(text);
  const stretch = (max: number) =>
    readStretch(nonEmpty(shown, found), {
      maxTokens: max,
      countTokens,
      ...(lines && neighbours === 0 && { lines }),
      ...(part && { part }),
    });
  // A place that is named exactly is read as it stands.
  const isWhole = question === undefined || asked === undefined || neighbours > 0;
  const searched = isWhole ? undefined : { question, ...(await parts.hitsIn(found.uri, question)) };
  const focused =
    searched &&
    foldForQuestion(
      {
        ...stretch(lookedThrough),
        chunks: shown,
        name: asked?.kind === 'definition' ? asked.name : undefined,
        isMarkdown: /\.(?:md|mdx|markdown)$/i.test(found.uri),
      },
      searched.question,
      searched.hits,
      { maxTokens, countTokens },
    );
  const { textLines, place, text, tokens, isCut, nextLine } = focused ?? stretch(maxTokens);
  return {
    uri: found.uri,
    place,
    textLines,
    totalLines: linesOfChunk(all.at(-1) ?? all[0])[1],
    text,
    tokens,
    isCut,
    ...(nextLine !== undefined && { nextLine }),
    ...(focused && { folded: focused.folded }),
    ...(searched && { warnings: searched.warnings }),
    section: shown[0]?.section ?? '',
    ...(asked && { asked }),
    words: focused ? [] : wordsOfText(text, shown),
    others,
  };
}

async function wantedBy(store: Store, folder: string, options: ReadRequest): Promise<Wanted> {
  if (options.place === undefined) return namedInParts(store, folder, options);
  const { found, lines, symbol, cited } = await resolvePlace(store, folder, options.place);
  if (!found) return namedInParts(store, folder, { ...options, symbol });
  if (!cited) return wantedIn(found, { lines, symbol });
  const others = cited.others.flatMap((at) => found.chunks[at] ?? []);
  return {
    found,
    range: cited.range,
    part: cited.part,
    others: others.map((chunk) => alternativeOf(found, chunk)),
  };
}

async function namedInParts(store: Store, folder: string, options: ReadRequest): Promise<Wanted> {
  const { path, symbol } = options;
  if (path !== undefined) return wantedIn(await findDocument(store, uriIn(folder, path)), options);
  if (symbol === undefined) throw nothingNamed();
  const [first, ...others] = await definitionsOf(store, symbol);
  return { ...wantedIn(await findDocument(store, first.uri), options), others };
}

/** First and last position of the chunks that are asked for. */
function wantedIn(found: Found, { lines, symbol, chunk }: ReadRequest): Wanted {
  const { uri, chunks } = found;
  const wanted = { found, lines, others: [] };
  if (chunk !== undefined) {
    const at = chunks.findIndex(({ id }) => id === chunk);
    if (at < 0) throw notFound(`"${uri}" has no chunk ${chunk} now.`, 'Search again: the file has changed.');
    return { ...wanted, range: [at, at] };
  }
  if (symbol !== undefined)
    return { ...wanted, range: definitionIn(found, symbol), asked: { kind: 'definition', name: symbol } };
  if (lines === undefined) return { ...wanted, range: [0, chunks.length - 1], asked: { kind: 'document' } };
  const [from, to] = lines;
  const holds = (each: Chunk): boolean => linesOfChunk(each)[0] <= to && linesOfChunk(each)[1] >= from;
  const [first, last] = [chunks.findIndex(holds), chunks.findLastIndex(holds)];
  if (first >= 0) return { ...wanted, range: [first, last] };
  const total = linesOfChunk(chunks.at(-1) ?? chunks[0])[1];
  throw notFound(
    `"${uri}" has no text in the lines ${from}-${to}.`,
    `Name lines between 1 and ${total}, the last one.`,
  );
}

/** Another message with the same citation, by its number. */
function alternativeOf({ uri }: Found, { place, metadata }: Chunk): Definition {
  const name = `message ${metadata.message}`;
  const symbol = { name, kind: 'message', signature: `${uri}, ${name}`, scope: [] };
  return { uri, place, symbol };
}

function nonEmpty(chunks: readonly Chunk[], { chunks: all }: Found): readonly [Chunk, ...Chunk[]] {
  const [first = all[0], ...rest] = chunks;
  return [first, ...rest];
}

function nothingNamed(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The call names nothing to read.',
    'Name a place as a search shows it, a path, or a symbol.',
  );
}
