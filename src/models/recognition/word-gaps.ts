import type { Picture } from '../../core/picture.ts';
import type { LineText } from './line-text.ts';

/** The share of the strongest contrast from which a pixel counts as ink. */
const inkFrom = 0.35;
/** Gaps between words that tell how wide they are in a line. */
const minKnown = 2;
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
 * did see. A line in which it saw none stays as it is: in print of one width every letter may stand alone.
 */
export function withWordGaps(line: LineText, picture: Picture): LineText {
  const { text, middles } = line;
  const known: number[] = [];
  const open: Gap[] = [];
  for (const { middle, width } of gapsIn(picture)) {
    const next = middles.findIndex((place) => place > middle / picture.width);
    const [before, after] = [text[next - 1], text[next]];
    if (before === undefined || after === undefined) continue;
    if (before === ' ' || after === ' ') known.push(width);
    else if (spacing.test(before) && spacing.test(after) && !/^\d\d$/.test(before + after))
      open.push({ after: next, width });
  }
  if (known.length < minKnown) return line;
  known.sort((one, other) => one - other);
  const min = wideFrom * (known[Math.floor(known.length / 2)] ?? 0);
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
