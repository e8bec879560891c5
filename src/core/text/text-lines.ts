/** Where the line begins that this offset is in; a byte order mark is no part of the first. */
export function lineStart(text: string, offset: number): number {
  const first = text.startsWith('\ufeff') ? 1 : 0;
  return Math.max(first, text.slice(0, offset).lastIndexOf('\n') + 1);
}

/** Where the next line begins, or the text ends. */
export function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline < 0 ? text.length : newline + 1;
}

/** The line end that the text uses. */
export function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** The spaces that the line of this offset begins with. */
export function indentOf(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

/** Whether nothing stands before this offset in its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** Whether nothing but a comment stands behind this offset in its line. */
export function endsLine(text: string, offset: number): boolean {
  return /^[ \t]*(?:#.*)?\r?\n?$/.test(text.slice(offset, lineEnd(text, offset)));
}

/** The text with a stretch replaced. */
export function splice(text: string, start: number, end: number, replacement = ''): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
