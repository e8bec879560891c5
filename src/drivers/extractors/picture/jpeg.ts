import type { Picture } from '../../../core/picture.ts';
import { UnreadablePicture } from './bounds.ts';
import { orientationIn, upright } from './orientation.ts';
import { decodeAsPdf } from './pdf-picture.ts';

/** Decodes a JPEG, turned as its camera says. */
export async function decodeJpeg(bytes: Uint8Array): Promise<Picture> {
  const { width, height, channels, orientation } = readHeader(bytes);
  const space = ({ 1: 'Gray', 3: 'RGB', 4: 'CMYK' } as Readonly<Record<number, string>>)[channels];
  if (space === undefined) throw new UnreadablePicture('its kind of pixels is unknown');
  const entries = `/ColorSpace /Device${space} /BitsPerComponent 8 /Filter /DCTDecode`;
  // Programs that write four colours into a JPEG write them inverted.
  const inverted = channels === 4 ? ' /Decode [1 0 1 0 1 0 1 0]' : '';
  return upright(await decodeAsPdf(entries + inverted, bytes, width, height), orientation);
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly orientation: number;
}

function readHeader(bytes: Uint8Array): Header {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let orientation = 1;
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) throw new UnreadablePicture('its header is damaged');
    const marker = bytes[at + 1] ?? 0;
    // Filling, and marks without a length.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) break;
    const length = data.getUint16(at + 2);
    const content = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xe1) orientation = orientationIn(content) ?? orientation;
    // All frames begin alike; three of these marks are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return {
        height: data.getUint16(at + 5),
        width: data.getUint16(at + 7),
        channels: bytes[at + 9] ?? 0,
        orientation,
      };
    at += 2 + Math.max(2, length);
  }
  throw new UnreadablePicture('it has no size');
}
