/** Lines and columns of places in a text, both from 1. */
export interface TextLines {
  lineOf(at: number): number;
  placeOf(at: number): { readonly line: number; readonly column: number };
}

/** Finds the lines of a text once. */
export function textLines(text: string): TextLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lineOf = (at: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  return {
    lineOf,
    placeOf(at) {
      const line = lineOf(at);
      return { line, column: at - (starts[line - 1] ?? 0) + 1 };
    },
  };
}
