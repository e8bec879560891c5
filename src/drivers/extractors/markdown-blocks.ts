/** Cells longer than this make a row unreadable. */
const maxCellLength = 400;

/**
 * Rows as one Markdown table under their first row. A table of one column or with long cells is used for layout: its cells
 * become paragraphs. Nothing is left out in either case.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = filled.reduce((widest, row) => Math.max(widest, row.length), 0);
  const layout = width < 2 || filled.some((row) => row.some((cell) => cell.length > maxCellLength));
  if (layout) return filled.flat().filter((cell) => cell !== '');
  const line = (row: readonly string[]): string => `| ${row.map(escaped).join(' | ')} |`;
  const [head = [], ...body] = filled;
  const columns = Array.from({ length: head.length }, () => '---');
  return [[line(head), `| ${columns.join(' | ')} |`, ...body.map(line)].join('\n')];
}

/** Code between fences that are longer than any run of back-ticks inside it. */
export function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`{3,}/g) ?? []).slice(0, 1000).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
