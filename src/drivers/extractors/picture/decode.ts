import type { Picture } from '../../../core/picture.ts';
import { UnreadablePicture } from './bounds.ts';
import { decodeJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';
import { decodeTiff, tiffPages } from './tiff.ts';
import { decodeWebp } from './webp.ts';

/** The pages of a picture: each is decoded when it is asked for. */
export type PicturePages = readonly (() => Promise<Picture>)[];

/** The kind of a picture by its first bytes, whatever its name says. */
function kindOf(bytes: Uint8Array): 'png' | 'jpeg' | 'tiff' | 'webp' | undefined {
  const mark = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (mark.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (mark.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (mark.startsWith('II*\0') || mark.startsWith('MM\0*')) return 'tiff';
  return mark.startsWith('RIFF') && mark.endsWith('WEBP') ? 'webp' : undefined;
}

/** What may be decoded of a file; throws `UnreadablePicture` where that is nothing. */
export function pagesOf(bytes: Uint8Array): PicturePages {
  switch (kindOf(bytes)) {
    case 'png':
      return [async () => decodePng(bytes)];
    case 'jpeg':
      return [() => decodeJpeg(bytes)];
    case 'webp':
      return [() => decodeWebp(bytes)];
    case 'tiff':
      return tiffPages(bytes).map((page) => () => decodeTiff(bytes, page));
    case undefined:
      throw new UnreadablePicture('it is no PNG, JPEG, TIFF or WebP');
  }
}
