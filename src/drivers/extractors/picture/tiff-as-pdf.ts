import { type PageOfPictures, pdfOfPictures } from '../pdf/write-pdf.ts';
import { UnreadablePicture } from './bounds.ts';
import { stripsOf, tiffPages } from './tiff.ts';

/** How far a page is turned for each orientation; the others are mirrored, which a page of a PDF is not. */
const turns: Readonly<Record<number, PageOfPictures['turn']>> = { 1: 0, 3: 180, 6: 90, 8: 270 };
/** Bytes of all strips, as a multiple of those of the file: strips may name the same bytes again and again. */
const maxGrowth = 2;
/** Characters that describe all strips at most: strips may be empty, and have the same colours each. */
const maxDescription = 2 ** 23;

/**
 * The pages of a TIFF as a PDF: its bytes stand in it as they are, so that nothing is decoded here, and what draws PDFs draws them.
 * Throws `UnreadablePicture` for a file that cannot be shown so.
 */
export function tiffAsPdf(bytes: Uint8Array): Uint8Array {
  let length = 0;
  let described = 0;
  const pages = tiffPages(bytes).map((directory): PageOfPictures => {
    const { width, height, orientation, strips } = stripsOf(bytes, directory);
    const turn = turns[orientation];
    if (turn === undefined) throw new UnreadablePicture('it is mirrored');
    const pictures = strips.map((strip) => {
      const [entries, stream] = strip.asPdf();
      length += stream.length;
      described += entries.length;
      if (length > bytes.length * maxGrowth) throw new UnreadablePicture('its parts overlap');
      if (described > maxDescription) throw new UnreadablePicture('it has too many parts');
      return { entries, stream, top: strip.top, rows: strip.rows };
    });
    return { width, height, turn, pictures };
  });
  return pdfOfPictures(pages);
}
