/** How much of a text is kept. */
export interface FoldLimits {
  readonly characters: number;
  /** Lines of its beginning; all by default. */
  readonly lines?: number;
  /** Lines of its end, where an error says what it is. */
  readonly lastLines?: number;
}

/** The beginning of a text, and its size where there is more of it. */
export function folded(text: string, { characters, lines, lastLines = 0 }: FoldLimits): string {
  const clean = text.trim();
  // Cut before it is split: it may have megabytes.
  const head = clean.slice(0, characters);
  const rows = lines === undefined ? [head] : head.split('\n').slice(0, lines);
  const kept = rows.join('\n').toWellFormed().trimEnd();
  if (kept.length >= clean.length) return kept;
  const tail = lastLines > 0 ? clean.slice(-characters).split('\n').slice(-lastLines).join('\n') : '';
  const rest = clean.length - kept.length > tail.length ? tail.toWellFormed() : '';
  return `${kept}\n[… ${sizeInWords(clean)} in all]${rest === '' ? '' : `\n${rest}`}`;
}

function sizeInWords(text: string): string {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  const kilobytes = Math.max(1, Math.round(text.length / 1024));
  const size = kilobytes < 1024 ? `${kilobytes} kB` : `${Math.round(kilobytes / 1024)} MB`;
  return count > 1 ? `${count} lines, ${size}` : size;
}
