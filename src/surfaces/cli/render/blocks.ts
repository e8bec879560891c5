import { beginningOf } from '../../../core/text/shortened.ts';
import type { Block, TableBlock } from '../../../operations/evaluation/eval.ts';
import type { Output } from '../terminal/output.ts';

/** Warnings that are shown; JSON has all. */
const listedWarnings = 20;
/** Letters of a word or sentence in a table. */
const shownColumns = 70;

const colours = { good: 'green', bad: 'red', neutral: 'yellow', quiet: 'dim' } as const;

/** Shows blocks one below the other. A terminal shows no pictures, and leaves what is folded to a report. */
export function renderBlocks(blocks: readonly Block[], output: Output): void {
  let before: Block['kind'] | undefined;
  for (const block of blocks) {
    if (block.kind === 'chart' || block.kind === 'folded') continue;
    const isApart = block.kind === 'heading' || (block.kind === 'table' && before !== 'heading');
    if (before && isApart) output.result('');
    renderBlock(block, output);
    before = block.kind;
  }
}

function renderBlock(block: Exclude<Block, { kind: 'chart' | 'folded' }>, output: Output): void {
  switch (block.kind) {
    case 'heading':
      output.result(output.style('bold', block.text));
      break;
    case 'text':
      output.result(block.tone ? output.style(colours[block.tone], block.text) : block.text);
      break;
    case 'table':
      renderTable(block, output);
      break;
    case 'list':
      for (const item of block.items) output.result(`  ${item}`);
      break;
    case 'warnings':
      for (const warning of block.items.slice(0, listedWarnings))
        output.note(`${output.styleNote('yellow', 'warning')} ${warning}`);
      if (block.items.length > listedWarnings)
        output.note(`${block.items.length - listedWarnings} more warnings (list: --json)`);
  }
}

/** Columns under their heads: words to the left, numbers to the right. */
function renderTable({ head, rows, words }: TableBlock, output: Output): void {
  const cut = rows.map((row) => row.map((cell, at) => (at < words ? shortened(cell) : cell)));
  const widths = head.map((cell, at) => Math.max(cell.length, ...cut.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at < words ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  output.result(output.style('bold', line(head)));
  for (const row of cut) output.result(line(row));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > shownColumns ? `${beginningOf(line, shownColumns)} …` : line;
}
