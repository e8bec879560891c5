import { inflateSync } from 'node:zlib';
import type { Picture } from '../../../core/picture.ts';
import { assertSize, UnreadablePicture } from './bounds.ts';

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits of one value. */
  readonly depth: number;
  /** As in the file: 0 grey, 2 colours, 3 palette, 4 grey and opacity, 6 colours and opacity. */
  readonly kind: number;
  readonly isInterlaced: boolean;
}

/** Values of a pixel by the kind of the picture. */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The seven passes of an interlaced picture: first column and row, and the steps to the next. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** Decodes a PNG on a white ground; one that ends too early is white from there on. */
export function decodePng(bytes: Uint8Array): Picture {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const packed: Uint8Array[] = [];
  let header: Header | undefined;
  let palette: Uint8Array = new Uint8Array();
  let opacity: Uint8Array = new Uint8Array();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = data.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const content = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length));
    if (type === 'IHDR') header = readHeader(content);
    else if (type === 'PLTE') palette = content;
    else if (type === 'tRNS') opacity = content;
    else if (type === 'IDAT') packed.push(content);
    else if (type === 'acTL') throw new UnreadablePicture('it is animated');
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  if (!header) throw new UnreadablePicture('it has no size');
  const { width, height } = header;
  const picture = { width, height, pixels: new Uint8Array(width * height * 3).fill(255) };
  const rows = unpack(Buffer.concat(packed), header);
  let from = 0;
  for (const [x, y, dx, dy] of header.isInterlaced ? passes : [[0, 0, 1, 1] as const]) {
    const [columns, lines] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)];
    if (columns <= 0 || lines <= 0) continue;
    const size = Math.ceil((columns * (channelsOf[header.kind] ?? 1) * header.depth) / 8);
    let before: Uint8Array = new Uint8Array(size);
    for (let line = 0; line < lines && from + 1 + size <= rows.length; line += 1) {
      const row = rows.subarray(from + 1, from + 1 + size);
      unfilter(
        rows[from] ?? 0,
        row,
        before,
        Math.max(1, ((channelsOf[header.kind] ?? 1) * header.depth) >> 3),
      );
      draw(picture, header, row, { palette, opacity }, { x, y: y + line * dy, step: dx, columns });
      before = row;
      from += 1 + size;
    }
  }
  return picture;
}

function readHeader(content: Uint8Array): Header {
  const data = new DataView(content.buffer, content.byteOffset, content.byteLength);
  if (content.length < 13) throw new UnreadablePicture('its header is cut off');
  const [width, height] = [data.getUint32(0), data.getUint32(4)];
  const [depth = 0, kind = 0, , , interlace] = content.subarray(8);
  assertSize(width, height);
  if (channelsOf[kind] === undefined || ![1, 2, 4, 8, 16].includes(depth))
    throw new UnreadablePicture('its kind of pixels is unknown');
  return { width, height, depth, kind, isInterlaced: interlace === 1 };
}

/** All rows with their filters, as many bytes as the size says at most. */
function unpack(packed: Uint8Array, { width, height, depth, kind }: Header): Uint8Array {
  const max = (Math.ceil((width * (channelsOf[kind] ?? 1) * depth) / 8) + 1) * height + 16 * (height + 7);
  try {
    return inflateSync(packed, { maxOutputLength: max, finishFlush: 2 });
  } catch {
    throw new UnreadablePicture('its pixels cannot be unpacked');
  }
}

/** Undoes the filter of a row in place; `by` is the distance in bytes to the pixel on the left. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, by: number): void {
  for (let at = 0; at < row.length; at += 1) {
    const left = row[at - by] ?? 0;
    const up = above[at] ?? 0;
    const value = row[at] as number;
    if (filter === 1) row[at] = value + left;
    else if (filter === 2) row[at] = value + up;
    else if (filter === 3) row[at] = value + ((left + up) >> 1);
    else if (filter === 4) row[at] = value + nearest(left, up, above[at - by] ?? 0);
  }
}

/** Of left, above and above left the one that is nearest to what the three predict. */
function nearest(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function draw(
  picture: Picture,
  { depth, kind }: Header,
  row: Uint8Array,
  { palette, opacity }: { readonly palette: Uint8Array; readonly opacity: Uint8Array },
  { x, y, step, columns }: { x: number; y: number; step: number; columns: number },
): void {
  const channels = channelsOf[kind] ?? 1;
  const max = 2 ** Math.min(depth, 8) - 1;
  // Of sixteen bits the upper eight are kept.
  const valueAt = (index: number): number => {
    if (depth === 8) return row[index] ?? 0;
    if (depth === 16) return row[index * 2] ?? 0;
    const bit = index * depth;
    return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & max;
  };
  for (let column = 0; column < columns; column += 1) {
    const at = (y * picture.width + x + column * step) * 3;
    for (let channel = 0; channel < 3; channel += 1) {
      const first = valueAt(column * channels);
      let value: number;
      let visible = 255;
      if (kind === 3) {
        value = palette[first * 3 + channel] ?? 0;
        visible = opacity[first] ?? 255;
      } else {
        value = kind === 0 || kind === 4 ? first : valueAt(column * channels + channel);
        if (depth < 8) value = (value * 255) / max;
        if (channels % 2 === 0) visible = valueAt(column * channels + channels - 1);
      }
      picture.pixels[at + channel] = visible === 255 ? value : 255 + ((value - 255) * visible) / 255;
    }
  }
}
