import type { Place } from '../place.ts';
import { beginningOf, shortened } from './shortened.ts';

/** UTF-16 units of a name in a citation. */
const maxLength = 80;
/** Of a path that is too long so many stand before the gap, and the rest behind it. */
const beforeGap = 24;

/** The place from the beginning of one place to the end of another of the same file. */
export function joinPlaces(first: Place, last: Place): Place {
  // Places of one file are of one kind, but for a file that is cut again at this moment.
  return first.kind === last.kind ? ({ ...first, last: last.last } as Place) : first;
}

/** First and last line of the file; undefined where the place is not given in lines. */
export function linesOf(place: Place): readonly [first: number, last: number] | undefined {
  return place.kind === 'lines' ? [place.first, place.last] : undefined;
}

/** Whether a line of the file lies in the place. */
export function holdsLine(place: Place, line: number): boolean {
  return place.kind === 'lines' && place.first <= line && line <= place.last;
}

/** Path and place on one line, for a person: `src/a.ts:3-9`, `report.pdf, page 3`. */
export function citationOf(uri: string, place: Place): string {
  switch (place.kind) {
    case 'lines':
      return `${uri}:${place.first}${place.last === place.first ? '' : `-${place.last}`}`;
    case 'pages':
      return `${uri}, ${numbered('page', place.first, place.last)}`;
    case 'cells':
      return `${uri}, ${cellsText(place)}`;
    case 'messages':
      return `${uri}: ${rangeText(messageText(place.first), messageText(place.last))}`;
    case 'paragraphs':
      return `${uri}, ${paragraphsText(place)}`;
    case 'sheets':
      return `${uri}, ${sheetsText(place)}`;
    case 'slides':
      return `${uri}, ${slidesText(place)}`;
    case 'entries':
      return `${uri}: ${rangeText(entryText(place.first), entryText(place.last))}`;
    case 'keys':
      return `${uri}, ${rangeText(shortPath(place.first), shortPath(place.last))}`;
  }
}

type PlaceOf<Kind extends Place['kind']> = Extract<Place, { kind: Kind }>;

function cellsText({ first, last }: PlaceOf<'cells'>): string {
  if (first.cell !== last.cell) return numbered('cell', first.cell, last.cell);
  if (first.line === undefined) return `cell ${first.cell}, output`;
  // What begins in the source of a cell and ends in its output goes to the end of the cell.
  const end = last.line ?? first.line;
  return `cell ${first.cell}, ${numbered('line', first.line, end)}`;
}

function messageText({ message, subject, date }: PlaceOf<'messages'>['first']): string {
  const name = subject === '' ? `message ${message}` : `"${shortened(subject, maxLength)}"`;
  return date === undefined ? name : `${name}, ${date.slice(0, 10)}`;
}

function paragraphsText({ first, last }: PlaceOf<'paragraphs'>): string {
  if (first.heading !== last.heading) return rangeText(headingText(first), headingText(last));
  const numbers = numbered('paragraph', first.paragraph, last.paragraph);
  if (first.heading === '') return numbers;
  // What begins with the heading is found by it.
  return first.paragraph === 0 ? headingText(first) : `${headingText(first)}, ${numbers}`;
}

/** The heading above a paragraph; before the first heading, its number. */
function headingText({ heading, paragraph }: PlaceOf<'paragraphs'>['first']): string {
  return heading === '' ? `paragraph ${paragraph}` : `"${shortPath(heading)}"`;
}

/** A path of headings or keys: many begin alike, so what is left out of a long one is in its middle. */
export function shortPath(path: string): string {
  if (path.length <= maxLength) return path;
  const end = path.slice(beforeGap + 1 - maxLength).replace(/^[\udc00-\udfff]/, '');
  return `${beginningOf(path, beforeGap).trimEnd()}…${end.toWellFormed().trimStart()}`;
}

function sheetsText({ first, last }: PlaceOf<'sheets'>): string {
  const of = ({ sheet }: PlaceOf<'sheets'>['first']): string => `sheet "${shortened(sheet, maxLength)}"`;
  if (first.sheet !== last.sheet)
    return `${of(first)}, ${cellRange(first)} – ${of(last)}, ${cellRange(last)}`;
  return `${of(first)}, ${cellRange(first, last)}`;
}

/** Cells as a spreadsheet writes them: `A2:F40`. */
function cellRange(
  { row, columns }: PlaceOf<'sheets'>['first'],
  last: PlaceOf<'sheets'>['first'] = { row, columns, sheet: '' },
): string {
  const [from = '', to = from] = columns.split(':');
  const [first, end] = [`${from}${row}`, `${to}${last.row}`];
  return first === end ? first : `${first}:${end}`;
}

function slidesText({ first, last }: PlaceOf<'slides'>): string {
  if (first.slide === last.slide && first.notes) return `slide ${first.slide}, notes`;
  return numbered('slide', first.slide, last.slide);
}

function entryText({ entry, name, date }: PlaceOf<'entries'>['first']): string {
  const title = name === '' ? `entry ${entry}` : `"${shortened(name, maxLength)}"`;
  return date === undefined ? title : `${title}, ${date}`;
}

function numbered(name: string, first: number, last: number): string {
  return first === last ? `${name} ${first}` : `${name}s ${first}-${last}`;
}

function rangeText(first: string, last: string): string {
  return first === last ? first : `${first} – ${last}`;
}
