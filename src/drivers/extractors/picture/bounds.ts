/** Pixels of one picture at most: a page of A3 with 400 dots per inch has 31 million. */
export const maxPixels = 40_000_000;
/** A longer side is no picture of a page. */
export const maxSide = 30_000;

/** What keeps a picture from being decoded; its message completes a sentence about the file. */
export class UnreadablePicture extends Error {
  override readonly name = 'UnreadablePicture';
}

/** Refuses sizes that would take more memory than a picture may, before anything of it is decoded. */
export function assertSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new UnreadablePicture('it has no pixels');
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new UnreadablePicture(
      `${width} x ${height} pixels are more than the ${maxPixels / 1_000_000} million that are read`,
    );
}
