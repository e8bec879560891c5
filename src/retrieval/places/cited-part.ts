import type { Chunk } from '../../core/chunk.ts';
import type { Place } from '../../core/place.ts';
import type { LineRange } from '../windows/read-stretch.ts';

/** A part of one or more chunks: lines of the document's text, and where they are in the file. */
export interface CitedPart {
  readonly lines: LineRange;
  readonly place: Place;
}

/**
 * The numbered pages, slides, rows or paragraphs of adjacent chunks that hold them. A chunk has several where they are short; its
 * text shows where each begins. Undefined where it does not, so that the chunks are read whole; null where no text stands there.
 */
export function citedPart(
  chunks: readonly Chunk[],
  [low, high]: readonly [number, number],
): CitedPart | null | undefined {
  const parts = chunks.map(numberedParts);
  if (!parts.every((each) => each !== undefined)) return undefined;
  const wanted = parts.flat().filter(({ number }) => number >= low && number <= high);
  const [first, last] = [wanted[0], wanted.at(-1)];
  const [begun, ended] = [chunks[0]?.place, chunks.at(-1)?.place];
  if (!begun || !ended) return undefined;
  if (!first || !last) return null;
  return { lines: [first.lines[0], last.lines[1]], place: between(begun, first.number, last.number) };
}

interface NumberedPart {
  readonly number: number;
  readonly lines: LineRange;
}

/** What of a chunk has which number; undefined where its text does not tell. */
function numberedParts({ place, text, span }: Chunk): NumberedPart[] | undefined {
  const ends = endsOf(place);
  const mark = ends && separators[place.kind];
  if (!ends || !mark) return undefined;
  // The name of a sheet stands above its first rows.
  const skipped = place.kind === 'sheets' && text.startsWith('# ') ? text.indexOf('\n') + 1 : 0;
  const lineAt = lineCounter(text);
  const parts: NumberedPart[] = [];
  let number = ends[0];
  for (let start = skipped; start <= text.length; number += 1) {
    const found = text.indexOf(mark, start);
    const end = found < 0 ? text.length : found;
    const own = text.slice(start, end);
    const isUnderName = number === ends[0] && skipped > 0;
    const from = isUnderName ? 0 : start + own.length - own.trimStart().length;
    if (own.trim() !== '')
      parts.push({ number, lines: [lineAt(from), lineAt(start + own.trimEnd().length)] });
    start = end + mark.length;
  }
  const inText = ({ lines: [first, last], ...part }: NumberedPart): NumberedPart => ({
    ...part,
    lines: [span.firstLine + first, span.firstLine + last],
  });
  return number - 1 === ends[1] ? parts.map(inText) : undefined;
}

const separators: { readonly [Kind in Place['kind']]?: string } = {
  pages: '\f',
  slides: '\f',
  sheets: '\n',
  paragraphs: '\n\n',
};

/** Counts the lines before positions that are asked for in ascending order. */
function lineCounter(text: string): (position: number) => number {
  let lines = 0;
  let next = text.indexOf('\n');
  return (position) => {
    for (; next >= 0 && next < position; next = text.indexOf('\n', next + 1)) lines += 1;
    return lines;
  };
}

/** First and last number of what a chunk has; undefined where they belong to different wholes. */
function endsOf(place: Place): readonly [number, number] | undefined {
  if (place.kind === 'pages') return [place.first, place.last];
  if (place.kind === 'slides') return [place.first.slide, place.last.slide];
  if (place.kind === 'sheets' && place.first.sheet === place.last.sheet)
    return [place.first.row, place.last.row];
  if (place.kind === 'paragraphs' && place.first.heading === place.last.heading)
    return [place.first.paragraph, place.last.paragraph];
  return undefined;
}

function between(place: Place, first: number, last: number): Place {
  if (place.kind === 'pages') return { ...place, first, last };
  if (place.kind === 'slides') return { ...place, first: { slide: first }, last: { slide: last } };
  if (place.kind === 'sheets')
    return { ...place, first: { ...place.first, row: first }, last: { ...place.first, row: last } };
  if (place.kind === 'paragraphs')
    return {
      ...place,
      first: { ...place.first, paragraph: first },
      last: { ...place.first, paragraph: last },
    };
  return place;
}
