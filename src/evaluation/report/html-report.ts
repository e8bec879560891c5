import type { Block, TableBlock } from './blocks.ts';
import { inlineSvg } from './drawing.ts';
import { escapeMarkup, firstOf, oneLine } from './safe-text.ts';
import { chartStyle, pageStyle, themeStyle } from './theme.ts';

/** One page that needs no other file and runs no script: the text of a question is only shown. */
export function htmlReport(blocks: readonly Block[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<title>Evaluation</title>
<style>
${themeStyle}
${pageStyle}
${chartStyle}
</style>
</head>
<body>
<main>
${blocks.map(html).join('\n')}
</main>
</body>
</html>
`;
}

function html(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${safe(block.text)}</h${block.level}>`;
    case 'text':
      return `<p${block.tone ? ` class="${block.tone}"` : ''}>${safe(block.text, 1000)}</p>`;
    case 'table':
      return table(block);
    case 'chart':
      return `<figure>${inlineSvg(block.drawing)}<figcaption>${safe(block.caption, 1000)}</figcaption></figure>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${safe(item, 500)}</li>`).join('')}</ul>`;
    case 'warnings':
      return ['<h2>Warnings</h2>', html({ kind: 'list', items: firstOf(block.items) })].join('\n');
    case 'folded':
      return `<details><summary>${safe(block.summary)}</summary>${block.blocks.map(html).join('\n')}</details>`;
  }
}

function table({ head, words, rows, totals = 0 }: TableBlock): string {
  const cell = (name: 'th' | 'td', text: string, at: number) =>
    `<${name}${at < words ? ' class="word"' : ''}>${safe(text)}</${name}>`;
  const heads = head.map((text, at) => cell('th', text, at)).join('');
  const body = rows.map((row, index) => {
    const total = index >= rows.length - totals ? ' class="total"' : '';
    return `<tr${total}>${row.map((text, at) => cell('td', text, at)).join('')}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${heads}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

function safe(text: string, maxLength?: number): string {
  return escapeMarkup(oneLine(text, maxLength));
}
