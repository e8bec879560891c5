const longest = 240;

/** Text of a server for a message: one line, no control characters, bounded length. */
export function oneLine(words: string): string {
  const line = words
    .slice(0, longest * 8)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
}
