/**
 * The longest beginning of a text that fits, white space at its end left out: whole lines where one fits at all, else
 * a part of the first, never inside a character. Empty where nothing fits.
 */
export function cutToFit(text: string, fits: (beginning: string) => boolean): string {
  const upTo = (end: number | undefined) => text.slice(0, end).trimEnd();
  const begins = text.length - text.trimStart().length;
  const lines = [...text.matchAll(/\r?\n/g)].map(({ index }) => index).filter((end) => end > begins);
  const byLine = longestThatFits(lines.length, (index) => fits(upTo(lines[index])));
  if (byLine >= 0) return upTo(lines[byLine]);
  const ends = characterEnds(upTo(lines[0])).filter((end) => end > begins);
  const byCharacter = longestThatFits(ends.length, (index) => fits(upTo(ends[index])));
  return byCharacter < 0 ? '' : upTo(ends[byCharacter]);
}

/** The largest index that fits, or -1, assuming that more text never has fewer tokens. */
function longestThatFits(count: number, fits: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function characterEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = 1; at <= text.length; at += 1) {
    const next = text.charCodeAt(at);
    const isInside = next >= 0xdc00 && next <= 0xdfff;
    if (!isInside) ends.push(at);
  }
  return ends;
}
