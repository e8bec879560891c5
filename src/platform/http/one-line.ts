import { shortened } from '../../core/text/shortened.ts';

const maxLength = 240;

/** Text of a server for a message: one line, no control characters, bounded length. */
export function oneLine(words: string): string {
  const line = words
    .slice(0, maxLength * 8)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return shortened(line, maxLength);
}
