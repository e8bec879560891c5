import type { Picture } from '../../../core/picture.ts';
import { openPdf } from '../pdf/open-pdf.ts';
import type { PdfPage } from '../pdf/pdf-parser.ts';
import { pdfAround } from '../pdf/write-pdf.ts';
import { assertSize, maxPixels, UnreadablePicture } from './bounds.ts';

/** A picture as a PDF parser gives it. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  /** 1: a bit for each pixel, rows of whole bytes; 2: three bytes; 3: four bytes. */
  readonly kind: number;
  readonly data: Uint8Array;
}

/**
 * Decodes a stream that a PDF may hold as a picture (JPEG, fax, LZW, …): the parser that reads PDFs does so without native
 * code. `entries` describe it in the words of a PDF.
 */
export async function decodeAsPdf(
  entries: string,
  stream: Uint8Array,
  width: number,
  height: number,
): Promise<Picture> {
  assertSize(width, height);
  const task = await openPdf(new Uint8Array(pdfAround(entries, stream, width, height)), maxPixels);
  try {
    const page = await (await task.promise).getPage(1);
    const { argsArray } = await page.getOperatorList();
    const [name] = argsArray.map((values) => values?.[0]).filter((value) => typeof value === 'string');
    const found = name === undefined ? undefined : await objectOf(page, name);
    if (!found) throw new UnreadablePicture('its pixels cannot be decoded');
    return asPicture(found);
  } finally {
    await task.destroy();
  }
}

/** What a page calls by a name; undefined where it could not be decoded. */
export function objectOf(page: PdfPage, name: string): Promise<Drawn | undefined> {
  const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
  return new Promise((resolve) => {
    objects.get(name, (found: unknown) => resolve(isDrawn(found) ? found : undefined));
  });
}

function isDrawn(value: unknown): value is Drawn {
  if (typeof value !== 'object' || value === null || !('data' in value)) return false;
  return value.data instanceof Uint8Array || value.data instanceof Uint8ClampedArray;
}

/** Three bytes for each pixel, transparent ones on white. */
export function asPicture({ width, height, kind, data }: Drawn): Picture {
  // A mask may be larger than the picture whose size was looked at.
  assertSize(width, height);
  if (kind === 2 && data.length >= width * height * 3)
    return { width, height, pixels: new Uint8Array(data.buffer, data.byteOffset, width * height * 3) };
  const pixels = new Uint8Array(width * height * 3);
  const rowBytes = (width + 7) >> 3;
  for (let at = 0, y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      if (kind === 1) {
        const value = ((data[y * rowBytes + (x >> 3)] ?? 255) >> (7 - (x & 7))) & 1 ? 255 : 0;
        pixels.fill(value, at * 3, at * 3 + 3);
      } else {
        const visible = (data[at * 4 + 3] ?? 255) / 255;
        for (let channel = 0; channel < 3; channel += 1)
          pixels[at * 3 + channel] = 255 + ((data[at * 4 + channel] ?? 255) - 255) * visible;
      }
    }
  }
  return { width, height, pixels };
}
