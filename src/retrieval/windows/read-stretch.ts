import type { Chunk, Span } from '../../core/chunk.ts';
import type { Place } from '../../core/place.ts';
import { joinPlaces } from '../../core/text/citation.ts';
import { cutToFit } from '../../core/text/cut-to-fit.ts';
import { spacingOf } from './document-view.ts';
import { type Fragment, fragmentOf, without } from './fragment.ts';
import { stitch, textOf } from './stitch.ts';

/** First and last line, both included. */
export type LineRange = readonly [first: number, last: number];

/** A stretch of one document, as its index holds it. */
export interface Stretch {
  readonly text: string;
  /** Lines of the document's text that are shown. */
  readonly textLines: LineRange;
  /** Where it is in the file. */
  readonly place: Place;
  readonly tokens: number;
  /** Whether its end did not fit. */
  readonly isCut: boolean;
  /** The line to continue with after a cut, counted as the caller names lines; absent where lines lead no further. */
  readonly nextLine?: number;
}

/** What is to be read, and how much of it at most. */
export interface StretchOptions {
  /** Only these lines, counted as `linesOfChunk` counts them. */
  readonly lines?: LineRange;
  /** Only these lines of the document's text, which are this place. */
  readonly part?: { readonly lines: LineRange; readonly place: Place };
  readonly maxTokens: number;
  countTokens(text: string): number;
}

/** Whether lines of the document's text are lines of its file. */
export function isVerbatim(chunks: readonly Chunk[]): boolean {
  return chunks.every(
    ({ place, span }) =>
      place.kind === 'lines' && place.first === span.firstLine && place.last === span.lastLine,
  );
}

/** The lines of a chunk by which a reader names them: of the file where it has lines, else of its text. */
export function linesOfChunk({ place, span }: Chunk): LineRange {
  return place.kind === 'lines' ? [place.first, place.last] : [span.firstLine, span.lastLine];
}

/**
 * The text of adjacent chunks, in order and never empty: nothing twice, and as much from its beginning as fits. Of a
 * document whose text is that of its file, exactly the lines asked for; of another, the chunks that hold them.
 */
export function readStretch(
  chunks: readonly [Chunk, ...Chunk[]],
  { lines, part, maxTokens, countTokens }: StretchOptions,
): Stretch {
  const exact = part?.lines ?? (lines && isVerbatim(chunks) ? lines : undefined);
  const fitting = beginningOf(chunks, (text) => countTokens(text), maxTokens);
  const fragments = fragmentsOf(fitting);
  const pieces = stitch(fragments, spacingOf(new Map(fitting.map((chunk) => [chunk.ordinal, chunk]))));
  const wanted = pieces.flatMap((piece) => (exact ? linesWithin(piece, exact) : [piece]));
  const whole = textOf(wanted, false);
  const fits = countTokens(whole) <= maxTokens;
  const text = fits ? whole : cutToFit(whole, (beginning) => countTokens(beginning) <= maxTokens);
  const firstLine = wanted[0]?.span.firstLine ?? chunks[0].span.firstLine;
  const lastLine = fits
    ? (wanted.at(-1)?.span.lastLine ?? firstLine)
    : lineAt(wanted, text.length, firstLine);
  const left = fits ? chunks[fitting.length] : fitting.find(({ span }) => span.lastLine > lastLine);
  const next = left && nextLineOf(left, lastLine, isVerbatim(chunks));
  const begun = linesOfChunk(chunks[0])[0];
  return {
    text,
    textLines: [firstLine, lastLine],
    place: part?.place ?? placeOf(fitting, [firstLine, lastLine], isVerbatim(chunks)),
    tokens: countTokens(text),
    isCut: !fits || left !== undefined,
    ...(next !== undefined && next > begun && { nextLine: next }),
  };
}

/** Chunks from the first on until there is certainly more than fits. */
function beginningOf(
  chunks: readonly [Chunk, ...Chunk[]],
  count: (text: string) => number,
  maxTokens: number,
): readonly [Chunk, ...Chunk[]] {
  const [first, ...rest] = chunks;
  const taken: [Chunk, ...Chunk[]] = [first];
  let tokens = count(first.text);
  for (const chunk of rest) {
    // Chunks may overlap, so that their sum says too much: half of it is still plenty.
    if (tokens > 2 * maxTokens) break;
    taken.push(chunk);
    tokens += count(chunk.text);
  }
  return taken;
}

function fragmentsOf(chunks: readonly Chunk[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const chunk of chunks) fragments.push(...without(fragmentOf(chunk), fragments.slice(-8)));
  return fragments.sort((one, other) => one.start - other.start);
}

interface Piece {
  readonly span: Pick<Span, 'firstLine' | 'lastLine'>;
  readonly text: string;
}

/** The part of a piece that lies in these lines; nothing where none does. */
function linesWithin({ span, text }: Piece, [first, last]: LineRange): Piece[] {
  if (span.lastLine < first || span.firstLine > last) return [];
  const from = Math.max(0, first - span.firstLine);
  const lines = text.split('\n').slice(from, last - span.firstLine + 1);
  return [
    {
      span: { firstLine: span.firstLine + from, lastLine: Math.min(span.lastLine, last) },
      // The end of the last line is no part of it, of whichever kind it is, nor is the end of the page before.
      text: lines.join('\n').replace(/^\f|\r$/g, ''),
    },
  ];
}

/** The line of the document that a position of the joined text is in; between pieces stands a gap mark of three lines. */
function lineAt(pieces: readonly Piece[], position: number, fallback: number): number {
  let start = 0;
  let line = fallback;
  for (const { span, text } of pieces) {
    if (position <= start) break;
    const shown = text.slice(0, position - start).trimEnd();
    line = span.firstLine + shown.split('\n').length - 1;
    start += textOf([{ text }, { text: '' }], false).length;
  }
  return line;
}

function nextLineOf(left: Chunk, lastLine: number, verbatim: boolean): number {
  if (verbatim) return Math.max(lastLine + 1, left.span.firstLine);
  return linesOfChunk(left)[0];
}

function placeOf(
  chunks: readonly [Chunk, ...Chunk[]],
  [firstLine, lastLine]: LineRange,
  verbatim: boolean,
): Place {
  if (verbatim) return { kind: 'lines', first: firstLine, last: lastLine };
  const shown = chunks.filter(({ span }) => span.firstLine <= lastLine);
  return joinPlaces(chunks[0].place, (shown.at(-1) ?? chunks[0]).place);
}
