import type { Extraction } from '../../../contracts/extractor.ts';
import type { Place } from '../../../core/place.ts';
import { degradation } from '../bounds.ts';
import { joinParts, type TextPart } from '../join-parts.ts';
import { columnLetters, type Sheet } from './sheet-cells.ts';

type RowPoint = Extract<Place, { kind: 'sheets' }>['first'];

/** What stands between two cells, as the `sheets` chunker expects it. */
const cellEnd = ' | ';

/**
 * Sheets as text: a form feed between them, the name of each as a heading, a line for each row with a content. Columns
 * without any content are left out. `isWhole` says whether all cells were read.
 */
export function sheetText(
  sheets: readonly Sheet[],
  characters: number,
  isWhole: boolean,
): Extract<Extraction, { kind: 'text' }> {
  const parts: TextPart<RowPoint>[] = [];
  let left = characters;
  let rows = 0;
  let cut = '';
  for (const sheet of sheets) {
    for (const part of rowsOf(sheet, parts.length > 0)) {
      left -= part.text.length + 1;
      if (left < 0) {
        cut = `cut in sheet "${sheet.name}" before row ${part.at.row}`;
        break;
      }
      rows += 1;
      parts.push(part);
    }
    if (cut !== '') break;
  }
  const { text, marks } = joinParts(parts, '\n');
  const hidden = sheets.filter(({ isHidden }) => isHidden).length;
  return {
    kind: 'text',
    text,
    chunker: 'sheets',
    type: 'sheet',
    places: { kind: 'sheets', marks },
    metadata: { sheets: sheets.map(({ name }) => name).slice(0, 100), rows, ...(hidden > 0 && { hidden }) },
    ...degradation(cut, cut === '' && !isWhole && `too large: ${lastRead(parts)}, the rest is left out`),
  };
}

function lastRead(parts: readonly TextPart<RowPoint>[]): string {
  const last = parts.at(-1)?.at;
  return last ? `read to row ${last.row} of sheet "${last.sheet}"` : 'no row was read';
}

function* rowsOf({ name, isHidden, cells }: Sheet, follows: boolean): Generator<TextPart<RowPoint>> {
  const used = [...new Set([...cells.rows.values()].flatMap((row) => [...row.keys()]))].sort(ascending);
  const [first = 1, last = first] = [used[0], used.at(-1)];
  const columns = first === last ? columnLetters(first) : `${columnLetters(first)}:${columnLetters(last)}`;
  const at = (row: number): RowPoint => ({ sheet: name, row, columns });
  const numbers = [...cells.rows.keys()].sort(ascending);
  if (numbers.length === 0) return;
  const heading = `# ${name}${isHidden ? ' (hidden)' : ''}`;
  yield { text: follows ? `\f\n${heading}` : heading, at: at(numbers[0] ?? 1) };
  for (const row of numbers) {
    const own = cells.rows.get(row);
    const words = used.map((column) => own?.get(column) ?? '');
    const filled = words.findLastIndex((each) => each !== '') + 1;
    yield { text: words.slice(0, filled).join(cellEnd), at: at(row) };
  }
}

function ascending(one: number, other: number): number {
  return one - other;
}
