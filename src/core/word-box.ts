/** A word of a text that was read from a picture, and where it stands there. */
export interface WordBox {
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Number of the page, counted from 1. */
  readonly page: number;
  /** Thousandths of the width and the height of the page. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A word as a chunk keeps it: seven numbers. */
export function writeWordBox({ start, end, page, left, top, width, height }: WordBox): string {
  return [start, end, page, left, top, width, height].join(' ');
}

/** The words that the metadata of a chunk hold; what is no word is left out. */
export function wordBoxesIn({ boxes }: Readonly<Record<string, unknown>>): WordBox[] {
  return (Array.isArray(boxes) ? boxes : []).flatMap((box) => {
    const numbers = String(box).split(' ').map(Number);
    if (numbers.length !== 7 || !numbers.every((number) => Number.isFinite(number) && number >= 0)) return [];
    const [start = 0, end = 0, page = 1, left = 0, top = 0, width = 0, height = 0] = numbers;
    return [{ start, end, page, left, top, width, height }];
  });
}

/**
 * Where the words of a text stand that was made of chunks, one after the other: each with its offsets in that text, a word that two
 * chunks share once. Words behind its end are left out.
 */
export function wordsOfText(
  text: string,
  chunks: readonly { readonly text: string; readonly metadata: Readonly<Record<string, unknown>> }[],
): WordBox[] {
  const placed = new Map<string, WordBox>();
  let from = 0;
  for (const { text: whole, metadata } of chunks)
    for (const box of wordBoxesIn(metadata)) {
      const word = whole.slice(box.start, box.end);
      const key = [box.page, box.left, box.top].join(' ');
      const start = placed.has(key) ? -1 : text.indexOf(word, from);
      if (start < 0) continue;
      from = start + word.length;
      placed.set(key, { ...box, start, end: from });
    }
  return [...placed.values()];
}
