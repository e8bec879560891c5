/** Lines of a document without a gap, and the number of the first where the file has lines. */
interface Piece {
  readonly line?: number | undefined;
  readonly text: string;
}

/** Pieces of a text for a model: each line behind its number, and the numbers of those that are left out in between. */
export function numbered(pieces: readonly Piece[]): string {
  let before: number | undefined;
  const parts = pieces.map(({ line, text }, at) => {
    // A carriage return within a line is no line of the file: the line after it would have no number.
    const lines = text.split('\n').map((each) => each.trimEnd().replaceAll('\r', ' '));
    const gap = before === undefined || line === undefined ? '…' : `… ${before + 1}-${line - 1}`;
    before = line === undefined ? undefined : line + lines.length - 1;
    const shown = line === undefined ? lines : lines.map((each, offset) => `${line + offset} ${each}`);
    return [...(at > 0 ? [gap] : []), ...shown].join('\n');
  });
  return parts.join('\n');
}
