/** A text of at most so many UTF-16 units: what is longer ends with `…`, never inside a character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.toWellFormed().trimEnd()}…`;
}
