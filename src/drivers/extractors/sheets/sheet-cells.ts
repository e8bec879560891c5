/** Cells that a file may have altogether; the rest is left out, and said so. */
const maxCells = 1_000_000;

/** Share of the time for reading cells; the rest is for writing them as text. */
export const readingShare = 0.6;

/** Sheets of a file that are read; a hostile one may list any number. */
export const maxSheets = 2000;

/** What all sheets of a file may hold together. */
export interface CellBudget {
  cells: number;
  characters: number;
}

/** The budget of one file. */
export function cellBudget(characters: number): CellBudget {
  return { cells: maxCells, characters };
}

/** A rectangle of cells that are shown as one; rows and columns are counted from 1, both ends belong to it. */
export interface MergedCells {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** A sheet as it was read: rows with their cells that have a content. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly cells: SheetCells;
}

/** Collects the cells of one sheet, in any order, within the budget of its file. */
export class SheetCells {
  /** By row, then by column, both counted from 1. */
  readonly rows = new Map<number, Map<number, string>>();
  readonly #budget: CellBudget;
  #spreadRows = 0;

  constructor(budget: CellBudget) {
    this.#budget = budget;
  }

  /** Whether no more is taken. */
  get isFull(): boolean {
    return this.#budget.cells <= 0 || this.#budget.characters <= 0;
  }

  put(row: number, column: number, content: string): void {
    const text = content.replace(/\s+/g, ' ').trim();
    if (text === '' || this.isFull) return;
    this.#budget.cells -= 1;
    this.#budget.characters -= text.length + 3;
    const cells = this.rows.get(row);
    if (cells) cells.set(column, text);
    else this.rows.set(row, new Map([[column, text]]));
  }

  /** A cell that reaches over several rows says of each of them what it says of the first. */
  spread({ firstRow, lastRow, firstColumn }: MergedCells): void {
    const text = this.rows.get(firstRow)?.get(firstColumn);
    if (text === undefined) return;
    for (let row = firstRow + 1; row <= lastRow && this.#spreadRows < maxSpreadRows; row += 1) {
      this.#spreadRows += 1;
      const cells = this.rows.get(row);
      // A row with nothing else needs no name.
      if (cells && !cells.has(firstColumn)) this.put(row, firstColumn, text);
    }
  }
}

/** Rows of merged cells that are looked at in one sheet: each of them may claim all rows there are. */
const maxSpreadRows = 2_000_000;

/** The number of a column by its letters: 1 for `A`, 27 for `AA`; 0 where these are no letters of a column. */
export function columnNumber(letters: string): number {
  if (!/^[A-Z]{1,3}$/i.test(letters)) return 0;
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The letters of a column by its number. */
export function columnLetters(number: number): string {
  let letters = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return letters;
}

/** Row and column of a cell by its name, `B7`; undefined where it is none. */
export function cellAt(name: string | undefined): { row: number; column: number } | undefined {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/i.exec(name ?? '') ?? [];
  const [row, column] = [Number(digits), columnNumber(letters)];
  return row > 0 && column > 0 ? { row, column } : undefined;
}
