import type { ChunkEntry } from '../src/contracts/store.ts';

/** What a chunker was given. */
export interface CutText {
  readonly text: string;
}

/** What is wrong with the chunks of a text by the contract of chunkers, in words; nothing when all is well. */
export function checkChunks({ text }: CutText, entries: readonly ChunkEntry[]): string[] {
  const defects = new Set<string>();
  let covered = 0;
  for (const { chunk } of entries) {
    const { start, end } = chunk.span;
    if (start < 0 || end <= start || end > text.length) defects.add('a span is not valid');
    if (text.slice(start, end) !== chunk.text) defects.add('the text of a chunk is not what its span says');
    if (chunk.text !== chunk.text.toWellFormed() && isWellFormed(text)) defects.add('a character is cut');
    if (start > covered && text.slice(covered, start).trim() !== '') defects.add('text is in no chunk');
    covered = Math.max(covered, end);
  }
  if (text.slice(covered).trim() !== '') defects.add('text is in no chunk');
  const ids = new Set(entries.map(({ chunk }) => chunk.id));
  if (ids.size !== entries.length) defects.add('two chunks have one identity');
  return [...defects];
}

function isWellFormed(text: string): boolean {
  return text === text.toWellFormed();
}
