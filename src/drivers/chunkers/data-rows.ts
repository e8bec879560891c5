import { extname } from 'node:path';
import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { pack } from './cutting.ts';
import { cutLines, type TextRange } from './lines.ts';
import { sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter, type TokenMeter } from './token-meter.ts';

/** Longest row of column names that is repeated as context, in characters. */
const maxHeaderLength = 300;

/** CSV and TSV by rows, the names of the columns as context of each chunk; a quoted cell may hold line ends. */
export function createRowsChunker(): Chunker {
  return {
    async chunk({ text, uri }, limits) {
      const meter = createTokenMeter(text, limits);
      const rows = rowsOf(text, delimiterOf(text, uri));
      if (!rows) {
        const drafts = cutLines(text, limits, meter, { start: 0, end: text.length });
        return {
          drafts: drafts.map((range) => ({ ...range, header: '', section: '' })),
          degraded: 'a quoted cell without end: cut by lines',
        };
      }
      const sections = rowSections(text, rows, delimiterOf(text, uri), limits, meter);
      return {
        drafts: sectionDrafts(text, sections, limits, meter, (range) => cutLines(text, limits, meter, range)),
      };
    },
  };
}

export default createRowsChunker;

function rowSections(
  text: string,
  rows: readonly TextRange[],
  delimiter: string,
  limits: ChunkLimits,
  meter: TokenMeter,
): TextSection[] {
  const header = columnNames(text, statesDelimiter(text) ? rows[1] : rows[0], delimiter);
  const pieces = rows.map(({ start, end }) => ({ start, end, tokens: meter.tokens(start, end) }));
  const numbers = new Map(rows.map(({ start }, index) => [start, index + 1]));
  const packed = pack(pieces, limits);
  return packed.map((piece, index) => {
    const first = numbers.get(piece.start) ?? 1;
    const last = (numbers.get(packed[index + 1]?.start ?? -1) ?? rows.length + 1) - 1;
    return { ...piece, header, name: first === last ? `row ${first}` : `rows ${first}-${last}` };
  });
}

/** The rows with anything in them; undefined when a quote is never closed. */
function rowsOf(text: string, delimiter: string): TextRange[] | undefined {
  const rows: TextRange[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\n') {
      if (text.slice(start, at).trim() !== '') rows.push({ start, end: at + 1 });
      start = at + 1;
    } else if (character === '"' && startsCell(text, at, start, delimiter)) {
      at = quotedEnd(text, at);
      if (at < 0) return undefined;
    }
  }
  if (text.slice(start).trim() !== '') rows.push({ start, end: text.length });
  return rows;
}

/** A quote elsewhere than at the start of a cell is a character like any other. */
function startsCell(text: string, at: number, rowStart: number, delimiter: string): boolean {
  let before = at - 1;
  while (before >= rowStart && text[before] === ' ') before -= 1;
  return before < rowStart || text[before] === delimiter;
}

/** The offset of the quote that closes the cell; two quotes in a row are one character of it. */
function quotedEnd(text: string, at: number): number {
  let close = text.indexOf('"', at + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  return close;
}

/** Whether the first line says what stands between cells, as Excel writes and reads it: `sep=;`. */
function statesDelimiter(text: string): boolean {
  return /^sep=[^\r\n]\r?\n/i.test(text);
}

function delimiterOf(text: string, uri: string): string {
  if (extname(uri).toLowerCase() === '.tsv') return '\t';
  if (statesDelimiter(text)) return text[4] ?? ',';
  const newline = text.indexOf('\n');
  const line = text.slice(0, newline < 0 ? 2000 : Math.min(newline, 2000));
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t', '|'].reduce((best, delimiter) =>
    count(delimiter) > count(best) ? delimiter : best,
  );
}

/** The first row as context, unless it has a number or an empty cell: then it is data. */
function columnNames(text: string, row: TextRange | undefined, delimiter: string): string {
  if (!row || row.end - row.start > 10 * maxHeaderLength) return '';
  const cells = text
    .slice(row.start, row.end)
    .split(delimiter)
    .map((cell) => cell.trim().replace(/^"|"$/g, ''));
  const names = cells.length > 1 && cells.every((cell) => cell !== '' && !/^[-+\d.,%\s]+$/.test(cell));
  return names ? `Columns: ${beginningOf(cells.join(', ').replace(/\s+/g, ' '), maxHeaderLength)}` : '';
}
