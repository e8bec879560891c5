import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { pack } from './cutting.ts';
import { cutLines, type TextRange } from './lines.ts';
import { lineRanges, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter, type TokenMeter } from './token-meter.ts';

/** Longest list of column names that is repeated as context, in characters. */
const maxNamesLength = 300;
/** Rows at the top of a sheet among which its column names are looked for: titles and remarks stand above them. */
const maxRowsAbove = 10;

/** Sheets with a form feed between them, by rows; the name of the sheet and of its columns are the context of each chunk. */
export function createSheetsChunker(): Chunker {
  return {
    async chunk({ text, title, uri }, limits) {
      const meter = createTokenMeter(text, limits);
      const named = uri.endsWith(title) ? '' : title;
      const sections = sheetsOf(text).flatMap((sheet) => rowSections(text, sheet, named, limits, meter));
      return {
        drafts: sectionDrafts(text, sections, limits, meter, (range) => cutLines(text, limits, meter, range)),
      };
    },
  };
}

export default createSheetsChunker;

function sheetsOf(text: string): TextRange[] {
  const sheets: TextRange[] = [];
  for (let start = 0; start < text.length; ) {
    const feed = text.indexOf('\f\n', start);
    const end = feed < 0 ? text.length : feed;
    sheets.push({ start, end });
    start = feed < 0 ? end : feed + 2;
  }
  return sheets;
}

function rowSections(
  text: string,
  sheet: TextRange,
  title: string,
  limits: ChunkLimits,
  meter: TokenMeter,
): TextSection[] {
  const rows = [...lineRanges(text, sheet)];
  const [first] = rows;
  if (!first) return [];
  const name = text.slice(first.start, first.end).replace(/^# /, '').trim();
  const columns = columnNames(
    rows.slice(1, 1 + maxRowsAbove).map(({ start, end }) => text.slice(start, end)),
  );
  const header = [title, [name, columns].filter(Boolean).join('. ')].filter(Boolean).join(' > ');
  const pieces = rows.map(({ start, end }) => ({ start, end, tokens: meter.tokens(start, end) }));
  return pack(pieces, limits).map(({ start, end }) => ({ start, end, name, header }));
}

/** The names of the columns: the fullest row of words, and the first of several; what has a number is data. */
function columnNames(rows: readonly string[]): string {
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const widest = cells.reduce((max, row) => Math.max(max, row.length), 0);
  const names = cells
    .map((row) => row.filter((cell) => cell !== ''))
    .filter((row) => row.length > 1 && row.length * 2 >= widest && !row.some((cell) => isNumber.test(cell)))
    .reduce<string[]>((fullest, row) => (row.length > fullest.length ? row : fullest), []);
  if (names.length === 0) return '';
  return `Columns: ${beginningOf(names.join(', '), maxNamesLength)}`;
}

const isNumber = /^[-+=\d.,%\s:€$£]+$/;
