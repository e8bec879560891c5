import { UnreadablePicture } from './bounds.ts';

/** Values of one tag at most; strips of a page are the longest list. */
const maxValues = 65_536;
/** Values of all tags of a page at most: tags may name the same list again and again. */
const maxFacts = 262_144;
/** Bytes of one value by its type. */
const bytesOf: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1 };

/** The facts of one page. */
export interface Directory {
  readonly tags: ReadonlyMap<number, readonly number[]>;
  /** Where these facts are. */
  readonly at: number;
  /** Where the facts of the next page are; 0 after the last. */
  readonly next: number;
}

/** The facts at a place of a TIFF, or of the block of facts in a JPEG; without a place those of the first page. */
export function readDirectory(bytes: Uint8Array, place?: number): Directory {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  if (mark !== 'II*\0' && mark !== 'MM\0*') throw new UnreadablePicture('its header is damaged');
  const isLittle = mark[0] === 'I';
  try {
    const start = place ?? data.getUint32(4, isLittle);
    const count = data.getUint16(start, isLittle);
    const tags = new Map<number, readonly number[]>();
    let facts = 0;
    for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
      const type = data.getUint16(at + 2, isLittle);
      const size = bytesOf[type];
      const length = data.getUint32(at + 4, isLittle);
      if (size === undefined || length > maxValues) continue;
      facts += length;
      if (facts > maxFacts) throw new UnreadablePicture('it has too many facts');
      const from = size * length <= 4 ? at + 8 : data.getUint32(at + 8, isLittle);
      const valueAt = (index: number): number => {
        if (size === 1) return data.getUint8(from + index);
        return size === 2
          ? data.getUint16(from + 2 * index, isLittle)
          : data.getUint32(from + 4 * index, isLittle);
      };
      tags.set(
        data.getUint16(at, isLittle),
        Array.from({ length }, (_, index) => valueAt(index)),
      );
    }
    return { tags, at: start, next: data.getUint32(start + 2 + count * 12, isLittle) };
  } catch (cause) {
    if (cause instanceof RangeError) throw new UnreadablePicture('it ends too early');
    throw cause;
  }
}
