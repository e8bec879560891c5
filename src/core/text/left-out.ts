import type { LeftOut } from '../reading.ts';

/** Lines of a text without a gap, with the number of the first. */
export interface NumberedLines {
  readonly line: number;
  readonly text: string;
}

/** The one line that stands in a text for those that are left out. */
export function leftOutLine({ lines: [first, last], names }: LeftOut): string {
  return `… ${first}-${last} folded${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
}

/**
 * A text in parts: lines with the numbers that they have in the file, and between them the lines that stand for what is left
 * out. Nothing where the text has other lines than its file.
 */
export function numberedParts(
  text: string,
  [first, last]: readonly [number, number],
  leftOut: readonly LeftOut[] = [],
): (NumberedLines | string)[] | undefined {
  const lines = text.split('\n');
  const parts: (NumberedLines | string)[] = [];
  let [at, line] = [0, first];
  const take = (until: number): void => {
    if (until > line) parts.push({ line, text: lines.slice(at, at + until - line).join('\n') });
    at += until - line;
  };
  for (const each of leftOut) {
    if (each.lines[0] < line) return undefined;
    take(each.lines[0]);
    parts.push(leftOutLine(each));
    at += 1;
    line = each.lines[1] + 1;
  }
  take(last + 1);
  return at === lines.length ? parts : undefined;
}
