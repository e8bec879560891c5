/** A text of at most so many UTF-16 units: what is longer ends with `…`, never inside a character. */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${beginningOf(text, max - 1).trimEnd()}…`;
}

/** The first so many UTF-16 units of a text, less the half of a character at their end. */
export function beginningOf(text: string, max: number): string {
  return text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}
