import type { Output } from '../terminal/output.ts';

/** Lines of a document without a gap, and the number of the first where the file has lines. */
interface Piece {
  readonly line?: number | undefined;
  readonly text: string;
}

/** Pieces of a text with the numbers of their lines, less the white space that all share; gaps name what is left out. */
export function renderNumbered(
  pieces: readonly Piece[],
  output: Output,
  indented: 'least' | 'as it is' = 'least',
): void {
  const lines = pieces.map(({ text }) => text.split('\n'));
  const indent = indented === 'least' ? commonIndent(lines.flat()) : 0;
  const { isPiped = false } = output;
  const width = isPiped ? 0 : String(endOf(pieces.at(-1)) ?? '').length;
  const margin = isPiped ? '' : '   ';
  for (const [at, piece] of pieces.entries()) {
    const before = endOf(pieces[at - 1]);
    if (at > 0) output.result(`${margin}${output.style('dim', gapLine(before, piece.line))}`);
    for (const [offset, line] of (lines[at] ?? []).entries()) {
      // The numbers say that a line is empty; what is read to be changed has all of its lines.
      if (isPiped && indented === 'least' && piece.line !== undefined && line.trim() === '') continue;
      const number = piece.line === undefined ? '' : String(piece.line + offset).padStart(width);
      const bar = isPiped || number === '' ? `${number}│` : `${number} │`;
      const text = shownLine(line.slice(indent));
      output.result(`${margin}${output.style('dim', bar)}${isPiped ? '' : ' '}${text}`.trimEnd());
    }
  }
}

/** A carriage return within a line is no line of the file: it would shift the numbers of those that follow. */
function shownLine(line: string): string {
  return line.trimEnd().replaceAll('\r', ' ');
}

function gapLine(before: number | undefined, next: number | undefined): string {
  return before === undefined || next === undefined ? '…' : `… ${before + 1}-${next - 1}`;
}

function endOf(piece: Piece | undefined): number | undefined {
  return piece?.line === undefined ? undefined : piece.line + piece.text.split('\n').length - 1;
}

/** The indentation that all lines with text share; it is removed, so that nested code starts at the left. */
export function commonIndent(lines: readonly string[]): number {
  const min = lines
    .filter((line) => line.trim() !== '')
    .reduce((min, line) => Math.min(min, line.length - line.trimStart().length), Number.POSITIVE_INFINITY);
  return Number.isFinite(min) ? min : 0;
}
