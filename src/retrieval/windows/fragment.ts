import type { Chunk } from '../../core/chunk.ts';

/** A range of a document's text in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A range of a document whose text is at hand. */
export interface Fragment extends TextRange {
  readonly firstLine: number;
  readonly text: string;
}

/** The whole of a chunk. */
export function fragmentOf({ span, text }: Pick<Chunk, 'span' | 'text'>): Fragment {
  return { start: span.start, end: span.start + text.length, firstLine: span.firstLine, text };
}

/** The part of a fragment within a range. */
export function within(fragment: Fragment, range: TextRange): Fragment {
  const start = Math.max(fragment.start, range.start);
  const end = Math.max(start, Math.min(fragment.end, range.end));
  const from = start - fragment.start;
  const text = fragment.text.slice(from, end - fragment.start);
  const firstLine = fragment.firstLine + countLineEnds(fragment.text.slice(0, from));
  return { start, end, firstLine, text };
}

/** What is left of a fragment outside of the ranges, in order. */
export function without(fragment: Fragment, taken: readonly TextRange[]): Fragment[] {
  let left: Fragment[] = [fragment];
  for (const { start, end } of taken) {
    left = left.flatMap((part) =>
      end <= part.start || start >= part.end
        ? [part]
        : [within(part, { start: part.start, end: start }), within(part, { start: end, end: part.end })],
    );
  }
  return left.filter((part) => part.text !== '');
}

/** The last line that a fragment touches. */
export function lastLineOf({ firstLine, text }: Fragment): number {
  return firstLine + countLineEnds(text.slice(0, -1));
}

/** How many line ends a text holds. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
