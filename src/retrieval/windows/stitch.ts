import { gapMark, type PassagePiece } from '../../core/passage.ts';
import type { Blank, DocumentView } from './document-view.ts';
import { type Fragment, lastLineOf } from './fragment.ts';

/** The text of pieces in the order of the document, with a mark where something between them is left out. */
export function textOf(pieces: readonly Pick<PassagePiece, 'text'>[], isCut: boolean): string {
  const text = pieces.map((piece) => piece.text).join(`\n${gapMark}\n`);
  return isCut ? `${text}\n${gapMark}` : text;
}

/**
 * Joins fragments, given in order and without overlap: those with nothing or only white space between them become one
 * piece.
 */
export function stitch(
  fragments: readonly Fragment[],
  view: Pick<DocumentView, 'blanks' | 'hasWindowsLineEnds'>,
): PassagePiece[] {
  const joined: Fragment[] = [];
  for (const fragment of fragments) {
    const last = joined.at(-1);
    if (!last || !touches(last, fragment, view)) {
      joined.push(fragment);
      continue;
    }
    const blank = view.blanks.get(last.end);
    const between = last.end === fragment.start || !blank ? '' : blankText(blank, view);
    joined[joined.length - 1] = { ...last, end: fragment.end, text: last.text + between + fragment.text };
  }
  return joined.map((fragment) => {
    const { start, end, firstLine, text } = fragment;
    return { span: { start, end, firstLine, lastLine: lastLineOf(fragment) }, text };
  });
}

/** Whether the second range follows the first with nothing but white space between them. */
export function touches(
  first: { readonly end: number },
  second: { readonly start: number },
  { blanks }: Pick<DocumentView, 'blanks'>,
): boolean {
  return first.end === second.start || blanks.get(first.end)?.end === second.start;
}

/** White space of the right length and lines; a chunk brings the indentation of its first line itself. */
function blankText(
  { start, end, lineEnds }: Blank,
  { hasWindowsLineEnds }: Pick<DocumentView, 'hasWindowsLineEnds'>,
): string {
  const length = end - start;
  const lineEnd = hasWindowsLineEnds && length >= 2 * lineEnds ? '\r\n' : '\n';
  return ' '.repeat(length - lineEnd.length * lineEnds) + lineEnd.repeat(lineEnds);
}
