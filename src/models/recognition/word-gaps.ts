import type { Picture } from '../../core/picture.ts';
import type { LineText } from './line-text.ts';

/** The share of the strongest contrast from which a pixel counts as ink. */
const inkFrom = 0.35;
/** Gaps between words that tell how wide they are in a line. */
const minKnown = 2;
/** Gaps between letters that tell how wide those are. */
const minLetters = 4;
/** Where the model saw no words, a gap is one between them from so many times the usual one between letters on, … */
const timesLetters = 3;
/** … and from this share of the line's height on. */
const shareOfHeight = 1 / 6;
/** A gap is one between words from this share of the usual one on. */
const wideFrom = 0.7;
/** Scripts that put spaces between words, with their signs. */
const spacing = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}]/u;

/** A gap in the ink of a line, and the character before it. */
interface Gap {
  readonly after: number;
  /** Pixels. */
  readonly width: number;
}

/**
 * The line with the spaces that the model has passed over: where the ink has a gap nearly as wide as at the spaces that it
 * did see. Of a line in which it saw hardly any, as in small print that was packed as JPEG, those that are far wider than between its letters: in print
 * of one width every letter stands alone.
 */
export function withWordGaps(line: LineText, picture: Picture): LineText {
  const { text, middles } = line;
  const known: number[] = [];
  const letters: number[] = [];
  const open: Gap[] = [];
  for (const { middle, width } of gapsIn(picture)) {
    const next = middles.findIndex((place) => place > middle / picture.width);
    const [before, after] = [text[next - 1], text[next]];
    if (before === undefined || after === undefined) continue;
    if (before === ' ' || after === ' ') {
      known.push(width);
      continue;
    }
    letters.push(width);
    if (spacing.test(before) && spacing.test(after) && !/^\d\d$/.test(before + after))
      open.push({ after: next, width });
  }
  const min =
    known.length >= minKnown
      ? wideFrom * middleOf(known)
      : letters.length >= minLetters
        ? Math.max(timesLetters * middleOf(letters), shareOfHeight * picture.height)
        : Number.POSITIVE_INFINITY;
  let [spaced, places] = ['', [] as number[]];
  let from = 0;
  for (const { after, width } of open) {
    if (width < min || after <= from) continue;
    spaced += `${text.slice(from, after)} `;
    places = [
      ...places,
      ...middles.slice(from, after),
      ((middles[after - 1] ?? 0) + (middles[after] ?? 1)) / 2,
    ];
    from = after;
  }
  return { ...line, text: spaced + text.slice(from), middles: [...places, ...middles.slice(from)] };
}

function middleOf(widths: readonly number[]): number {
  return widths.toSorted((one, other) => one - other)[Math.floor(widths.length / 2)] ?? 0;
}

/** Stretches of columns without ink, with ink on both sides. */
function gapsIn({ width, height, pixels }: Picture): { readonly middle: number; readonly width: number }[] {
  const brightness = (at: number) =>
    (pixels[at * 3] ?? 0) + (pixels[at * 3 + 1] ?? 0) + (pixels[at * 3 + 2] ?? 0);
  const all = Array.from({ length: width * height }, (_, at) => brightness(at)).sort(
    (one, other) => one - other,
  );
  const ground = all[Math.floor(all.length / 2)] ?? 0;
  const contrast = Math.max(ground - (all[0] ?? 0), (all.at(-1) ?? 0) - ground);
  const gaps: { middle: number; width: number }[] = [];
  let lastInk: number | undefined;
  for (let x = 0; x < width; x += 1) {
    let hasInk = false;
    for (let y = 0; y < height && !hasInk; y += 1)
      hasInk = Math.abs(brightness(y * width + x) - ground) > inkFrom * contrast;
    if (!hasInk) continue;
    if (lastInk !== undefined && x - lastInk > 1)
      gaps.push({ middle: (x + lastInk) / 2, width: x - lastInk - 1 });
    lastInk = x;
  }
  return gaps;
}
