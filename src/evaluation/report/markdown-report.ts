import type { Block, TableBlock } from './blocks.ts';
import { escapeMarkdown, firstOf, oneLine } from './safe-text.ts';

/** The report as Markdown; charts are picture files in the same folder, named after their blocks. */
export function markdownReport(blocks: readonly Block[]): string {
  return `${blocks.map((block) => markdown(block)).join('\n\n')}\n`;
}

function markdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${safe(block.text)}`;
    case 'text':
      return block.tone && block.tone !== 'quiet' ? `> ${safe(block.text, 1000)}` : safe(block.text, 1000);
    case 'table':
      return table(block);
    case 'chart':
      return `![${safe(block.drawing.title)}](${chartFile(block.name)})\n\n${safe(block.caption, 1000)}`;
    case 'list':
      return block.items.map((item) => `- ${safe(item, 500)}`).join('\n');
    case 'warnings':
      return ['## Warnings', markdown({ kind: 'list', items: firstOf(block.items) })].join('\n\n');
    case 'folded':
      return [`### ${safe(block.summary)}`, ...block.blocks.map(markdown)].join('\n\n');
  }
}

/** The file of a chart, in the folder of the report. */
export function chartFile(name: string): string {
  return `report-${name}.svg`;
}

function table({ head, words, rows }: TableBlock): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(head.map((cell) => safe(cell))),
    row(head.map((_, at) => (at < words ? '---' : '---:'))),
    ...rows.map((cells) => row(cells.map((cell) => safe(cell)))),
  ].join('\n');
}

function safe(text: string, maxLength?: number): string {
  return escapeMarkdown(oneLine(text, maxLength));
}
