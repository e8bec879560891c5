/** The rows of a table in a text, with the line that each begins in, counted from 0; a quoted cell may have line ends. */
export function rowsOf(
  text: string,
  separator: string,
): { readonly line: number; readonly cells: string[] }[] {
  const rows: { line: number; cells: string[] }[] = [];
  let cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let [line, begin] = [0, 0];
  const endRow = (): void => {
    cells.push(cell);
    if (cells.some((each) => each !== '')) rows.push({ line: begin, cells });
    [cells, cell, begin] = [[], '', line];
  };
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\n') line += 1;
    if (isQuoted && sign === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (isQuoted) cell += sign;
    else if (sign === separator) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  endRow();
  return rows;
}

/** The sign between the cells of a line: that which it has most of. */
export function separatorOf(line: string): string {
  const counts = [',', ';', '\t', '|'].map((sign) => [sign, line.split(sign).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}
