import type { PlaceMark } from '../../core/place.ts';

/** A part of an extracted text with its point in the file. */
export interface TextPart<Point> {
  readonly text: string;
  readonly at: Point;
}

/** Parts as one text, and where each of them begins in it. */
export function joinParts<Point>(
  parts: readonly TextPart<Point>[],
  separator: string,
): { readonly text: string; readonly marks: PlaceMark<Point>[] } {
  let start = 0;
  const marks = parts.map(({ text, at }) => {
    const mark = { start, at };
    start += text.length + separator.length;
    return mark;
  });
  return { text: parts.map(({ text }) => text).join(separator), marks };
}
