import { beginningOf } from '../../../core/text/shortened.ts';
import type { XmlHandlers } from '../office/xml.ts';
import { type CellBudget, maxSheets, type Sheet, SheetCells } from '../sheets/sheet-cells.ts';

type Attributes = Readonly<Record<string, string>>;

/** Elements whose cells are not of the sheet: what was changed, and copies of other files. */
const droppedElements = new Set(['table:tracked-changes', 'table:dde-link', 'office:forms', 'table:shapes']);

/** Reads the sheets of an OpenDocument spreadsheet. */
export class SpreadsheetReader implements XmlHandlers {
  readonly sheets: Sheet[] = [];
  readonly #budget: CellBudget;
  readonly #hiddenStyles = new Set<string>();
  #dropped = 0;
  #style = '';
  /** Tables within cells: their text is that of the cell. */
  #depth = 0;
  #row = 0;
  #rowRepeated = 1;
  #rowCells: { column: number; repeated: number; text: string }[] = [];
  #spans: { row: number; rows: number; column: number }[] = [];
  #column = 0;
  #cell: Attributes | undefined;
  #words: string[] = [];
  #notes = '';
  #note: string[] | undefined;
  #inWords = 0;

  constructor(budget: CellBudget) {
    this.#budget = budget;
  }

  isFull(): boolean {
    return this.#budget.cells <= 0 || this.#budget.characters <= 0 || this.sheets.length > maxSheets;
  }

  open(name: string, attributes: Attributes): void {
    if (droppedElements.has(name)) this.#dropped += 1;
    if (this.#dropped > 0) return;
    if (name === 'style:style') this.#style = attributes['style:name'] ?? '';
    else if (name === 'style:table-properties' && attributes['table:display'] === 'false')
      this.#hiddenStyles.add(this.#style);
    else if (name === 'table:table') this.#openTable(attributes);
    else if (this.#depth === 1) this.#openInTable(name, attributes);
    if (name === 'text:p' || name === 'text:h') {
      if (this.#words.length > 0) this.#words.push(' ');
      this.#inWords += 1;
    } else if (name === 'office:annotation') this.#note = [];
    else if (name === 'text:s' || name === 'text:tab' || name === 'text:line-break') this.text(' ');
  }

  text(text: string): void {
    if (this.#dropped > 0 || !this.#cell || this.#inWords === 0) return;
    (this.#note ?? this.#words).push(text);
  }

  close(name: string): void {
    if (droppedElements.has(name)) this.#dropped -= 1;
    else if (this.#dropped > 0) return;
    else if (name === 'text:p' || name === 'text:h') this.#inWords -= 1;
    else if (name === 'office:annotation') {
      const note = this.#note?.join('').trim();
      this.#note = undefined;
      if (note) this.#notes += ` [note: ${note}]`;
    } else if (name === 'table:table') this.#closeTable();
    else if (this.#depth !== 1) return;
    else if (name === 'table:table-cell' || name === 'table:covered-table-cell') this.#closeCell();
    else if (name === 'table:table-row') this.#closeRow();
  }

  #openTable(attributes: Attributes): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    this.sheets.push({
      name: beginningOf((attributes['table:name'] ?? '').replace(/\s+/g, ' ').trim(), 100) || 'Sheet',
      isHidden: this.#hiddenStyles.has(attributes['table:style-name'] ?? ''),
      cells: new SheetCells(this.#budget),
    });
    this.#row = 0;
    this.#spans = [];
  }

  #openInTable(name: string, attributes: Attributes): void {
    if (name === 'table:table-row') {
      this.#row += 1;
      this.#rowRepeated = repeated(attributes['table:number-rows-repeated']);
      this.#column = 0;
      this.#rowCells = [];
    } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
      this.#cell = attributes;
      this.#words = [];
      this.#notes = '';
      this.#inWords = 0;
    }
  }

  #closeCell(): void {
    const attributes = this.#cell ?? {};
    const times = repeated(attributes['table:number-columns-repeated']);
    const text = contentOf(attributes, this.#words.join('')) + this.#notes;
    const column = this.#column + 1;
    const rows = repeated(attributes['table:number-rows-spanned']);
    if (text.trim() !== '') {
      this.#rowCells.push({ column, repeated: times, text });
      if (rows > 1) this.#spans.push({ row: this.#row, rows, column });
    }
    this.#column += times;
    this.#cell = undefined;
  }

  #closeRow(): void {
    const cells = this.sheets.at(-1)?.cells;
    if (this.#rowCells.length > 0 && cells) {
      for (let copy = 0; copy < this.#rowRepeated && !cells.isFull; copy += 1) {
        for (const { column, repeated, text } of this.#rowCells) {
          for (let at = 0; at < repeated && !cells.isFull; at += 1)
            cells.put(this.#row + copy, column + at, text);
        }
      }
    }
    this.#row += this.#rowRepeated - 1;
    this.#rowCells = [];
  }

  #closeTable(): void {
    this.#depth -= 1;
    if (this.#depth !== 0) return;
    const cells = this.sheets.at(-1)?.cells;
    for (const { row, rows, column } of this.#spans)
      cells?.spread({
        firstRow: row,
        lastRow: row + rows - 1,
        firstColumn: column,
        lastColumn: column,
      });
  }
}

/** What is shown in the cell; dates as in ISO 8601, whatever the language of the file is. */
function contentOf(attributes: Attributes, shown: string): string {
  const type = attributes['office:value-type'];
  const date = attributes['office:date-value'];
  if (type === 'date' && date !== undefined) return date.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?$/, '');
  const value = attributes['office:value'] ?? attributes['office:string-value'];
  return shown.trim() === '' ? (value ?? attributes['office:boolean-value'] ?? '') : shown;
}

/** A number of repetitions; a file may state any. */
function repeated(written: string | undefined): number {
  const number = Number(written ?? 1);
  return Number.isInteger(number) && number > 1 ? Math.min(number, 2 ** 20) : 1;
}
