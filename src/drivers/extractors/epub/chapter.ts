import type { ParagraphBlocks } from '../office/paragraph-blocks.ts';

/** Adds a file of a book, which begins with a heading or is named by the table of contents; else it continues the chapter before. */
export function addChapter(blocks: ParagraphBlocks, markdown: string, name: string | undefined): void {
  const parts = partsOf(markdown);
  if (name !== undefined && !parts.some((part) => heading.test(part))) blocks.heading(1, name);
  for (const part of parts) {
    const [, marks = '', words = ''] = heading.exec(part) ?? [];
    if (marks === '') blocks.block(part);
    else blocks.heading(marks.length, words);
  }
}

const heading = /^(#{1,6}) ([^\n]+)$/;

/** The blocks of Markdown; a fence is one, whatever is in it. */
function partsOf(markdown: string): string[] {
  const parts: string[] = [];
  let fence = '';
  for (const part of markdown.split('\n\n')) {
    if (fence === '') parts.push(part);
    else parts[parts.length - 1] += `\n\n${part}`;
    if (fence === '') fence = /^(`{3,})/.exec(part)?.[1] ?? '';
    if (fence !== '' && part.trimEnd().endsWith(`\n${fence}`)) fence = '';
  }
  return parts.filter((part) => part.trim() !== '');
}
