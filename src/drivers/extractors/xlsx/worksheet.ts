import { localName } from '../office/parts.ts';
import type { XmlHandlers } from '../office/xml.ts';
import { cellAt, type MergedCells, type SheetCells } from '../sheets/sheet-cells.ts';
import { type CellStyles, numberText } from './number-formats.ts';

/** What the other parts of a workbook say about its cells. */
export interface WorkbookFacts {
  readonly strings: readonly string[];
  readonly styles: CellStyles;
  /** Whether its days are counted from 1904. */
  readonly is1904: boolean;
}

/** Rectangles of merged cells that are looked at. */
const maxMerged = 10_000;

/** Reads the cells of one work sheet: values of formulas, and the formula where no value was kept. */
export class WorksheetReader implements XmlHandlers {
  readonly merged: MergedCells[] = [];
  readonly #facts: WorkbookFacts;
  readonly #cells: SheetCells;
  #row = 0;
  #column = 0;
  #type = '';
  #style = 0;
  #value = '';
  #formula = '';
  #inside: 'value' | 'formula' | '' = '';
  #isPhonetic = false;

  constructor(facts: WorkbookFacts, cells: SheetCells) {
    this.#facts = facts;
    this.#cells = cells;
  }

  isFull(): boolean {
    return this.#cells.isFull;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const element = localName(name);
    if (element === 'row') {
      this.#row = positive(attributes.r) ?? this.#row + 1;
      this.#column = 0;
    } else if (element === 'c') this.#openCell(attributes);
    else if (element === 'v' || element === 't') this.#inside = this.#isPhonetic ? '' : 'value';
    else if (element === 'f') this.#inside = 'formula';
    else if (element === 'rPh') this.#isPhonetic = true;
    else if (element === 'mergeCell' && this.merged.length < maxMerged) this.#merge(attributes.ref ?? '');
  }

  text(text: string): void {
    if (this.#inside === 'value') this.#value += text;
    else if (this.#inside === 'formula') this.#formula += text;
  }

  close(name: string): void {
    const element = localName(name);
    if (element === 'v' || element === 't' || element === 'f') this.#inside = '';
    else if (element === 'rPh') this.#isPhonetic = false;
    else if (element === 'c') this.#cells.put(this.#row, this.#column, this.#content());
  }

  #openCell({ r, t = '', s }: Readonly<Record<string, string>>): void {
    const at = cellAt(r);
    this.#row = at?.row ?? (this.#row || 1);
    this.#column = at?.column ?? this.#column + 1;
    this.#type = t;
    this.#style = Number(s ?? 0);
    this.#value = '';
    this.#formula = '';
  }

  #content(): string {
    const { strings, styles, is1904 } = this.#facts;
    const value = this.#value;
    if (value === '') return this.#formula === '' ? '' : `=${this.#formula}`;
    if (this.#type === 's') return strings[Number(value)] ?? '';
    if (this.#type === 'b') return value === '1' || value === 'true' ? 'TRUE' : 'FALSE';
    if (this.#type === 'd') return value.replace('T', ' ').replace(/ 00:00:00(?:\.0+)?Z?$/, '');
    if (this.#type !== '' && this.#type !== 'n') return value;
    return numberText(value, styles[this.#style] ?? 'number', is1904);
  }

  #merge(ref: string): void {
    const [from, to] = ref.split(':').map(cellAt);
    if (!from || !to) return;
    this.merged.push({
      firstRow: from.row,
      lastRow: to.row,
      firstColumn: from.column,
      lastColumn: to.column,
    });
  }
}

function positive(written: string | undefined): number | undefined {
  const number = Number(written);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
