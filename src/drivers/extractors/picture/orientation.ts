import type { Picture } from '../../../core/picture.ts';
import { readDirectory } from './tiff-directory.ts';

const orientationTag = 274;

/** How a camera was held, as the block of facts in a JPEG says: 1 is upright. */
export function orientationIn(block: Uint8Array): number | undefined {
  if (Buffer.from(block.subarray(0, 6)).toString('latin1') !== 'Exif\0\0') return undefined;
  try {
    return readDirectory(block.subarray(6)).tags.get(orientationTag)?.[0];
  } catch {
    // Damaged facts leave the picture as it is.
    return undefined;
  }
}

/** For each orientation whether the sides change places, and then the first column and row are the last ones. */
const turns: Readonly<Record<number, readonly [swaps: boolean, fromRight: boolean, fromBelow: boolean]>> = {
  2: [false, true, false],
  3: [false, true, true],
  4: [false, false, true],
  5: [true, false, false],
  6: [true, false, true],
  7: [true, true, true],
  8: [true, true, false],
};

/** The picture as it is meant to be seen. */
export function upright(picture: Picture, orientation: number): Picture {
  const turn = turns[orientation];
  if (!turn) return picture;
  const [swaps, fromRight, fromBelow] = turn;
  const [width, height] = swaps ? [picture.height, picture.width] : [picture.width, picture.height];
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0, y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 3) {
      const [column, row] = swaps ? [y, x] : [x, y];
      const fromX = fromRight ? picture.width - 1 - column : column;
      const fromY = fromBelow ? picture.height - 1 - row : row;
      const from = (fromY * picture.width + fromX) * 3;
      pixels[at] = picture.pixels[from] ?? 0;
      pixels[at + 1] = picture.pixels[from + 1] ?? 0;
      pixels[at + 2] = picture.pixels[from + 2] ?? 0;
    }
  return { width, height, pixels };
}
