import type { Chunk } from '../../core/chunk.ts';
import type { Place } from '../../core/place.ts';
import { citationOf, shortPath } from '../../core/text/citation.ts';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import { type CitedPart, citedPart } from './cited-part.ts';

/** Chunks of a document that a citation names, by their first and last position. */
export interface CitedChunks {
  readonly range: readonly [first: number, last: number];
  /** Positions of other chunks that begin what has the same citation: another message of the same subject and date. */
  readonly others: readonly number[];
  /** What of them is named, where the text tells: a chunk may hold several short pages. */
  readonly part?: CitedPart;
}

/** What stands between the two ends of a cited range. */
const between = ' – ';

/**
 * The chunks of a document that the rest of a citation names, what follows its path: `page 3`, `cell 4, lines 2-5`,
 * `"Harvest", 2026-03-01`, `$.users[3]`. Every citation of a chunk, or from one chunk to another, is found as it stands, and a part
 * of one where it is in numbers.
 */
export function citedChunks(chunks: readonly Chunk[], rest: string): CitedChunks | undefined {
  const wanted = rest.trim();
  return (
    exactly(chunks, wanted) ?? fromTo(chunks, wanted) ?? byNumbers(chunks, wanted) ?? byRows(chunks, wanted)
  );
}

function exactly(chunks: readonly Chunk[], wanted: string): CitedChunks | undefined {
  const own = positions(chunks, (chunk) => isSaid(textOf(chunk.place), wanted));
  const [first] = own;
  if (first === undefined) return undefined;
  const isSame = (at: number): boolean =>
    chunks[at]?.metadata.message === chunks[first]?.metadata.message && own.includes(at);
  let last = first;
  while (isSame(last + 1)) last += 1;
  const unit = (at: number): unknown => chunks[at]?.metadata.message;
  const others = own.filter((at) => at > last && unit(at) !== unit(at - 1));
  return { range: [first, last], others };
}

/** From the chunk that begins with one end to the chunk that ends with the other. */
function fromTo(chunks: readonly Chunk[], wanted: string): CitedChunks | undefined {
  for (let at = wanted.indexOf(between); at >= 0; at = wanted.indexOf(between, at + 1)) {
    const [from, to] = [wanted.slice(0, at), wanted.slice(at + between.length)];
    const first = chunks.findIndex(({ place }) => endsOf(place, 'first').some((end) => isSaid(end, from)));
    const last = chunks.findLastIndex(({ place }) => endsOf(place, 'last').some((end) => isSaid(end, to)));
    if (first >= 0 && last >= first) return { range: [first, last], others: [] };
  }
  return undefined;
}

/** Pages, cells, messages and paragraphs by their numbers. */
function byNumbers(chunks: readonly Chunk[], wanted: string): CitedChunks | undefined {
  const [, kind = '', from = '', to = from, more = ''] =
    /^(?:(?:"[^"]*"|[^"]*), )?(page|cell|message|paragraph|slide|entry)s? (\d{1,9})(?:-(\d{1,9}))?(.*)$/.exec(
      wanted,
    ) ?? [];
  if (kind === '') return undefined;
  const heading = /^(".*"), paragraph/.exec(wanted)?.[1];
  const [low, high] = [Number(from), Number(to)];
  const holds = ({ place }: Chunk): boolean => {
    const ends = numbersOf(place, kind);
    if (!ends || ends[0] > high || ends[1] < low) return false;
    if (place.kind === 'paragraphs' && heading !== undefined)
      return [place.first, place.last].some((point) => isSaid(`"${shortPath(point.heading)}"`, heading));
    return place.kind !== 'cells' || isInCell(place, low, more);
  };
  const own = positions(chunks, holds);
  return kind === 'cell' ? whole(own) : partOf(chunks, own, [low, high]);
}

function whole(own: readonly number[]): CitedChunks | undefined {
  const [first, last] = [own[0], own.at(-1)];
  return first === undefined || last === undefined ? undefined : { range: [first, last], others: [] };
}

/** What has these numbers of the chunks that hold them. */
function partOf(
  chunks: readonly Chunk[],
  own: readonly number[],
  numbers: readonly [number, number],
): CitedChunks | undefined {
  const cited = whole(own);
  if (!cited) return undefined;
  const [first, last] = cited.range;
  const part = citedPart(chunks.slice(first, last + 1), numbers);
  return part === null ? undefined : { ...cited, ...(part && { part }) };
}

/** Rows of a sheet: `sheet "Costs", A2:F40`. */
function byRows(chunks: readonly Chunk[], wanted: string): CitedChunks | undefined {
  const [, sheet = '', from = '', to = from] =
    /^sheet (.+), [A-Z]{1,3}(\d{1,9})(?::[A-Z]{1,3}(\d{1,9}))?$/.exec(wanted) ?? [];
  const own = positions(
    chunks,
    ({ place }) =>
      place.kind === 'sheets' &&
      isSaid(`"${place.first.sheet}"`, sheet) &&
      place.first.row <= Number(to) &&
      (place.last.sheet !== place.first.sheet || place.last.row >= Number(from)),
  );
  return partOf(chunks, own, [Number(from), Number(to)]);
}

type CellPlace = Extract<Place, { kind: 'cells' }>;

/** Whether a chunk has the part of a cell that is named: its output, or lines of its source. */
function isInCell({ first, last }: CellPlace, cell: number, more: string): boolean {
  if (first.cell !== last.cell || first.cell !== cell) return true;
  if (/^, output$/.test(more)) return last.line === undefined;
  const [, from, to = from] = /^, lines? (\d{1,9})(?:-(\d{1,9}))?$/.exec(more) ?? [];
  if (from === undefined || first.line === undefined) return from === undefined;
  return first.line <= Number(to) && (last.line ?? Number.POSITIVE_INFINITY) >= Number(from);
}

function numbersOf(place: Place, kind: string): readonly [number, number] | undefined {
  if (kind === 'entry' && place.kind === 'entries') return [place.first.entry, place.last.entry];
  if (place.kind !== `${kind}s`) return undefined;
  if (place.kind === 'pages') return [place.first, place.last];
  if (place.kind === 'cells') return [place.first.cell, place.last.cell];
  if (place.kind === 'messages') return [place.first.message, place.last.message];
  if (place.kind === 'slides') return [place.first.slide, place.last.slide];
  if (place.kind !== 'paragraphs') return undefined;
  const isOfOne = place.first.heading === place.last.heading;
  return [place.first.paragraph, isOfOne ? place.last.paragraph : Number.POSITIVE_INFINITY];
}

/** How an end of a place may be written in a range. */
function endsOf(place: Place, end: 'first' | 'last'): string[] {
  // Both ends of a place are of its kind.
  const point = textOf({ ...place, first: place[end], last: place[end] } as Place);
  return place.kind === 'paragraphs' ? [point, `"${shortPath(place[end].heading)}"`] : [point];
}

/** What follows the path in a citation. */
function textOf(place: Place): string {
  return citationOf('', place).replace(/^[:,] ?/, '');
}

/** Whether a text is what was shown, also as surfaces clean it, and without the quotation marks that a shell takes away. */
function isSaid(text: string, shown: string): boolean {
  const forms = [text, shownLine(text), neutraliseLine(text)];
  return forms.some((form) => form === shown || form.replaceAll('"', '') === shown);
}

function positions(chunks: readonly Chunk[], passes: (chunk: Chunk) => boolean): number[] {
  return chunks.flatMap((chunk, at) => (passes(chunk) ? [at] : []));
}
