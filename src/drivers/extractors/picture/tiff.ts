import type { Picture } from '../../../core/picture.ts';
import { assertSize, UnreadablePicture } from './bounds.ts';
import { upright } from './orientation.ts';
import { decodeAsPdf } from './pdf-picture.ts';
import { type Directory, readDirectory } from './tiff-directory.ts';

/** Pages of one file at most. */
export const maxPages = 2000;
/** Values of the tags of all pages at most: pages may name the same list again and again. */
const maxFacts = 4_000_000;
/** Colours of a table at most: as many as a byte can name. */
const maxColours = 256;

const tag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  meaning: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  channels: 277,
  rowsInStrip: 278,
  stripBytes: 279,
  layout: 284,
  faxOptions: 292,
  predictor: 317,
  colours: 320,
  tileWidth: 322,
  tables: 347,
} as const;

/** The places of the facts of each page; thumbnails are pages too. */
export function tiffPages(bytes: Uint8Array): Directory[] {
  const first = readDirectory(bytes);
  const pages = [first];
  const seen = new Set([first.at]);
  let facts = 0;
  for (let next = first.next; next !== 0 && !seen.has(next) && pages.length < maxPages; ) {
    seen.add(next);
    let page: Directory;
    try {
      page = readDirectory(bytes, next);
    } catch {
      // The pages before it can be read.
      break;
    }
    facts += [...page.tags.values()].reduce((sum, values) => sum + values.length, 0);
    if (facts > maxFacts) break;
    pages.push(page);
    next = page.next;
  }
  return pages;
}

/** A stretch of rows of a page, from one row on. */
interface Strip {
  readonly top: number;
  readonly rows: number;
  /** How a PDF would describe its bytes, and those bytes. */
  asPdf(): [entries: string, stream: Uint8Array];
}

/** A page as its file keeps it: not decoded, and not turned. */
export interface StoredPage {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
  readonly strips: readonly Strip[];
}

/** The strips of one page of a TIFF. */
export function stripsOf(bytes: Uint8Array, { tags }: Directory): StoredPage {
  const one = (wanted: number, otherwise: number): number => tags.get(wanted)?.[0] ?? otherwise;
  const [width, height] = [one(tag.width, 0), one(tag.height, 0)];
  assertSize(width, height);
  if (tags.has(tag.tileWidth)) throw new UnreadablePicture('it is made of tiles');
  if (one(tag.layout, 1) !== 1) throw new UnreadablePicture('its colours lie apart');
  const rowsEach = Math.min(height, one(tag.rowsInStrip, height) || height);
  const sizes = tags.get(tag.stripBytes) ?? [];
  const offsets = (tags.get(tag.stripOffsets) ?? []).slice(0, Math.ceil(height / rowsEach));
  const strips = offsets.map((offset, index): Strip => {
    const top = index * rowsEach;
    const rows = Math.min(rowsEach, height - top);
    const strip = bytes.subarray(offset, offset + (sizes[index] ?? bytes.length));
    return { top, rows, asPdf: () => asPdfStream(strip, tags, width, rows) };
  });
  return { width, height, orientation: one(tag.orientation, 1), strips };
}

/** Decodes one page of a TIFF. */
export async function decodeTiff(bytes: Uint8Array, directory: Directory): Promise<Picture> {
  const { width, height, orientation, strips } = stripsOf(bytes, directory);
  const picture = { width, height, pixels: new Uint8Array(width * height * 3).fill(255) };
  for (const { top, rows, asPdf } of strips) {
    const part = await decodeAsPdf(...asPdf(), width, rows);
    picture.pixels.set(part.pixels.subarray(0, width * rows * 3), top * width * 3);
  }
  return upright(picture, orientation);
}

/** How a PDF would describe the bytes of a strip, and those bytes. */
function asPdfStream(
  strip: Uint8Array,
  tags: Directory['tags'],
  width: number,
  height: number,
): [entries: string, stream: Uint8Array] {
  const one = (wanted: number, otherwise: number): number => tags.get(wanted)?.[0] ?? otherwise;
  const bits = one(tag.bits, 1);
  const channels = one(tag.channels, 1);
  const compression = one(tag.compression, 1);
  const ordered = one(tag.fillOrder, 1) === 2 ? strip.map(mirrored) : strip;
  const predictor =
    one(tag.predictor, 1) === 2
      ? ` /DecodeParms << /Predictor 2 /Colors ${channels} /BitsPerComponent ${bits} /Columns ${width} >>`
      : '';
  const fax = (k: number): string =>
    `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ${height} /BlackIs1 true >>`;
  const filters: Readonly<Record<number, string>> = {
    1: '',
    2: `/Filter /CCITTFaxDecode /DecodeParms << /K 0 /Columns ${width} /Rows ${height} /BlackIs1 true /EncodedByteAlign true >>`,
    3: fax((one(tag.faxOptions, 0) & 1) === 1 ? 1 : 0),
    4: fax(-1),
    5: `/Filter /LZWDecode${predictor}`,
    7: '/Filter /DCTDecode',
    8: `/Filter /FlateDecode${predictor}`,
    32773: '/Filter /RunLengthDecode',
    32946: `/Filter /FlateDecode${predictor}`,
  };
  const filter = filters[compression];
  if (filter === undefined) throw new UnreadablePicture(`its kind of packing (${compression}) is unknown`);
  const entries = `${colourSpace(tags, bits, channels, compression)} /BitsPerComponent ${bits} ${filter}`;
  return [entries, compression === 7 ? withTables(ordered, tags) : ordered];
}

function colourSpace(tags: Directory['tags'], bits: number, channels: number, compression: number): string {
  const meaning = tags.get(tag.meaning)?.[0] ?? 1;
  if (meaning === 3) {
    const colours = tags.get(tag.colours) ?? [];
    const count = colours.length / 3;
    if (count > maxColours) throw new UnreadablePicture('its table of colours is too long');
    // The list has all reds, then all greens, then all blues, in sixteen bits.
    const table = Array.from({ length: count }, (_, index) =>
      [0, 1, 2]
        .map((part) => ((colours[part * count + index] ?? 0) >> 8).toString(16).padStart(2, '0'))
        .join(''),
    ).join('');
    return `/ColorSpace [/Indexed /DeviceRGB ${Math.max(0, count - 1)} <${table}>]`;
  }
  if (channels === 1)
    return `/ColorSpace /DeviceGray${meaning === 0 && compression !== 7 ? ' /Decode [1 0]' : ''}`;
  if (channels === 3 && (meaning === 2 || meaning === 6)) return '/ColorSpace /DeviceRGB';
  if (channels === 4 && meaning === 5) return '/ColorSpace /DeviceCMYK';
  if (![1, 2, 4, 8, 16].includes(bits)) throw new UnreadablePicture('its kind of pixels is unknown');
  throw new UnreadablePicture(`its pixels have ${channels} parts`);
}

/** A JPEG of a strip with the tables that all strips share, which stand between two marks of their own. */
function withTables(strip: Uint8Array, tags: Directory['tags']): Uint8Array {
  const tables = tags.get(tag.tables);
  if (!tables || tables.length < 4) return strip;
  return Buffer.concat([Uint8Array.from(tables.slice(0, -2)), strip.subarray(2)]);
}

/** A byte with its bits in the other order. */
function mirrored(byte: number): number {
  let turned = 0;
  for (let bit = 0; bit < 8; bit += 1) turned |= ((byte >> bit) & 1) << (7 - bit);
  return turned;
}
