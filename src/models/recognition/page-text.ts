import type { RecognisedText } from '../../core/picture.ts';
import type { WordBox } from '../../core/word-box.ts';
import { inReadingOrder, type PlacedLine } from './reading-order.ts';
import { pointIn, type Rectangle } from './rectangle.ts';

/** The size of a picture in pixels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Lines of a picture as one text; a word that is broken at the end of a line becomes whole again. */
export function pageText(lines: readonly PlacedLine[], size: Size): RecognisedText {
  let text = '';
  const words: WordBox[] = [];
  for (const { lines: beside, isParagraph } of inReadingOrder(lines)) {
    const first = beside[0]?.read.text.trimStart() ?? '';
    if (text !== '') {
      if (isParagraph) text += '\n\n';
      else if (/\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(first)) {
        text = text.slice(0, -1);
        const last = words.pop();
        if (last) words.push({ ...last, end: text.length });
      } else text += '\n';
    }
    for (const [at, placed] of beside.entries()) {
      if (at > 0) text += ' ';
      const own = placed.read.text.trim();
      words.push(...wordsOf(placed, text.length, size));
      text += own;
    }
  }
  return { text, words };
}

/** The words of a line, whose text begins at `start` without the space around it. */
function wordsOf({ line, read: { text, middles } }: PlacedLine, start: number, size: Size): WordBox[] {
  const shift = start - (text.length - text.trimStart().length);
  const advance = text.length > 1 ? ((middles.at(-1) ?? 1) - (middles[0] ?? 0)) / (text.length - 1) : 1;
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => {
    const end = index + word.length;
    const from = Math.max(0, (middles[index] ?? 0) - advance / 2);
    const to = Math.min(1, (middles[end - 1] ?? 1) + advance / 2);
    return { start: shift + index, end: shift + end, page: 1, ...boxOf(line, from, to, size) };
  });
}

/** The upright box around a part of a line, in thousandths of the picture. */
function boxOf(
  line: Rectangle,
  from: number,
  to: number,
  { width, height }: Size,
): Pick<WordBox, 'left' | 'top' | 'width' | 'height'> {
  const corners = [
    pointIn(line, from, 0),
    pointIn(line, to, 0),
    pointIn(line, to, 1),
    pointIn(line, from, 1),
  ];
  const range = (values: readonly number[], max: number): readonly [number, number] => {
    const share = (value: number) => Math.round((1000 * Math.max(0, Math.min(max, value))) / max);
    return [share(Math.min(...values)), share(Math.max(...values))];
  };
  const [left, right] = range(
    corners.map(({ x }) => x),
    width,
  );
  const [top, bottom] = range(
    corners.map(({ y }) => y),
    height,
  );
  return { left, top, width: right - left, height: bottom - top };
}
