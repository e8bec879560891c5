/** A row with its line in the text, counted from 0. */
interface Row {
  readonly line: number;
  readonly cells: string[];
}

/** A sheet of a spreadsheet, or what a text has of one. */
export interface SheetPart {
  /** Undefined where the text begins within a sheet: all that it has of it is in `rows`. */
  readonly name: string | undefined;
  /** The names of its columns; undefined where no row among the first has words alone. */
  readonly names: readonly string[] | undefined;
  /** Titles and remarks above the names. */
  readonly above: readonly string[];
  readonly rows: readonly Row[];
}

/** Rows among which the names of the columns are looked for. */
const rowsAbove = 10;
const isNumber = /^[-+=\d.,%\s:€$£]+$/;

/** The sheets in a text: a form feed before each but the first, their names as headings, ` | ` between cells. */
export function sheetsIn(text: string): SheetPart[] {
  const sheets: { name: string | undefined; rows: Row[] }[] = [];
  let begins = true;
  for (const [line, written] of text.split('\n').entries()) {
    if (written === '\f') begins = true;
    else if (begins) {
      const name = /^# (.*)/.exec(written)?.[1];
      sheets.push({ name, rows: name === undefined ? [rowOf(written, line)] : [] });
      begins = false;
    } else if (written !== '') sheets.at(-1)?.rows.push(rowOf(written, line));
  }
  return sheets.map(({ name, rows }) =>
    name === undefined ? { name, names: undefined, above: [], rows } : { name, ...belowNames(rows) },
  );
}

function rowOf(written: string, line: number): Row {
  return { line, cells: written.split(' | ') };
}

/** The first of the widest rows at the top is the names of the columns, unless it has a number: that is data. */
function belowNames(rows: readonly Row[]): Omit<SheetPart, 'name'> {
  const top = rows.slice(0, rowsAbove);
  const widest = Math.max(0, ...top.map(({ cells }) => cells.length));
  const at = top.findIndex(({ cells }) => cells.length === widest);
  const names = rows[at]?.cells;
  if (names === undefined || names.length < 2 || names.some((cell) => isNumber.test(cell)))
    return { names: undefined, above: [], rows };
  const above = rows.slice(0, at).map(({ cells }) => cells.filter((cell) => cell !== '').join(' · '));
  return { names, above, rows: rows.slice(at + 1) };
}
