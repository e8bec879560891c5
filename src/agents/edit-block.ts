import { newlineOf } from '../core/text/text-lines.ts';
import { blockMarks } from './texts.ts';

/** A text with our lines between their marks, at its end where they are new; undefined lines take them out, and nothing else. */
export function editBlock(text: string, lines: readonly string[] | undefined): string {
  const newline = newlineOf(text);
  const block = lines && [blockMarks.first, ...lines, blockMarks.last].join(newline);
  const end = text.indexOf(blockMarks.last);
  const start = end < 0 ? -1 : text.lastIndexOf(blockMarks.first, end);
  // Where one of the marks is gone, nobody knows which lines are ours.
  if (start < 0 && (end >= 0 || text.includes(blockMarks.first)))
    throw new TypeError(`one of the marks ${blockMarks.first} and ${blockMarks.last} is missing`);
  if (start >= 0 && end >= 0) {
    const after = end + blockMarks.last.length;
    if (block !== undefined) return text.slice(0, start) + block + text.slice(after);
    // The empty line that was put before it goes with it, and so does the end of its last line.
    const before = text.slice(0, start).replace(/(^|\r?\n)\r?\n$/, '$1');
    return before + text.slice(after).replace(/^\r?\n/, '');
  }
  if (block === undefined) return text;
  if (text === '') return `${block}${newline}`;
  return `${text}${text.endsWith('\n') ? '' : newline}${newline}${block}${newline}`;
}
