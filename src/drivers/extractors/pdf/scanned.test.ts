import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { FileRecogniser } from '../../../contracts/recogniser.ts';
import type { Picture } from '../../../core/picture.ts';
import { createPdfExtractor } from '../pdf.ts';
import { pagesOf } from '../picture/decode.ts';
import { asPicture } from '../picture/pdf-picture.ts';
import { readDirectory } from '../picture/tiff-directory.ts';
import { extractFrom, textOf } from '../samples.fixture.ts';
import { CarriedDecoders } from './pdf-parser.ts';
import { pdfAround } from './write-pdf.ts';

const sample = (name: string) =>
  readFile(new URL(`../../../../test/fixtures/pictures/${name}`, import.meta.url));
const width = 420;
const height = 110;

/** The share of dark in each tenth of a picture, in percent of it: about the same for one picture in all formats and sizes. */
function rowsOf({ width: columns, height: lines, pixels }: Picture): number[] {
  const dark = Array.from({ length: 10 }, () => 0);
  for (let y = 0; y < lines; y += 1)
    for (let x = 0; x < columns; x += 1)
      if ((pixels[(y * columns + x) * 3] ?? 255) < 128) {
        const row = Math.floor((y * 10) / lines);
        dark[row] = (dark[row] ?? 0) + 1000 / (columns * lines);
      }
  return dark;
}

async function decoded(name: string): Promise<Picture> {
  const [decode] = pagesOf(await sample(name));
  if (!decode) throw new Error('no page');
  return decode();
}

/** What a scanned PDF with this picture shows, or why it is skipped. */
async function shownBy(entries: string, stream: Uint8Array): Promise<number[] | string> {
  let rows: number[] | undefined;
  const looking: FileRecogniser = {
    milliseconds: 60_000,
    async readPage(_, __, decode) {
      const picture = await decode();
      rows = picture && rowsOf(picture);
      return { text: 'seen', words: [] };
    },
  };
  const extracted = await extractFrom(
    { ...createPdfExtractor(), extract: (file) => createPdfExtractor().extract(file, looking) },
    pdfAround(entries, stream, width, height),
  );
  return rows ?? textOf(extracted);
}

const bitonal = '/ColorSpace /DeviceGray /BitsPerComponent 1';
const fax = `/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${width} /Rows ${height} >>`;

/** The packed rows of a fax. */
async function faxRows(name = 'harbour-g4.tif'): Promise<Uint8Array> {
  const file = await sample(name);
  const { tags } = readDirectory(file);
  const [from = 0, length = 0] = [tags.get(273)?.[0], tags.get(279)?.[0]];
  return file.subarray(from, from + length);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

/** A picture as JBIG2: a page of some size, and on it a region whose rows are packed as those of a fax. */
function jbig2(rows: Uint8Array, page = [width, height], region = [width, height]): Buffer {
  const part = (number: number, type: number, data: Uint8Array): Buffer =>
    Buffer.concat([numbers(number), Buffer.from([type, 0, 1]), numbers(data.length), data]);
  return Buffer.concat([
    part(0, 48, Buffer.concat([numbers(...page, 0, 0), Buffer.alloc(3)])),
    part(1, 38, Buffer.concat([numbers(...region, 0, 0), Buffer.from([0, 1]), rows])),
  ]);
}

/** A grey picture as JPEG 2000, well formed in a few bytes: one tile whose packets are all empty. */
function emptyJpeg2000(side: number): Buffer {
  const short = (...values: number[]): Buffer =>
    Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
  const tile = Buffer.concat([short(0xff93), Buffer.alloc(6), short(0xffd9)]);
  return Buffer.concat([
    short(0xff4f, 0xff51, 41, 0),
    numbers(side, side, 0, 0, side, side, 0, 0),
    short(1),
    Buffer.from([7, 1, 1]),
    // Five times halved, in blocks of 64; reversible.
    short(0xff52, 12),
    Buffer.from([0, 0, 0, 1, 0, 5, 4, 4, 0, 1]),
    short(0xff5c, 19),
    Buffer.from([0x40, ...Array.from({ length: 16 }, () => 0x48)]),
    short(0xff90, 10, 0),
    numbers(12 + tile.length - 2),
    Buffer.from([0, 1]),
    tile,
  ]);
}

test('shows what scanners pack as fax, JBIG2 and JPEG 2000 as it was before it was packed', async () => {
  const wanted = rowsOf(await decoded('harbour.png')).map((share) => expect.closeTo(share, -0.2));
  const rows = await faxRows();
  expect(await shownBy(`${bitonal} ${fax}`, rows)).toEqual(wanted);
  expect(await shownBy(`/ImageMask true /BitsPerComponent 1 ${fax}`, rows)).toEqual(wanted);
  expect(await shownBy(`${bitonal} /Filter /JBIG2Decode`, jbig2(rows))).toEqual(wanted);
  expect(await shownBy('/Filter /JPXDecode', await sample('harbour.jp2'))).toEqual(wanted);
  for (const name of ['harbour-g4.tif', 'harbour-g3.tif'])
    expect(rowsOf(await decoded(name))).toEqual(wanted);
});

test('skips a picture that says it is larger than a page can be, with its reason', async () => {
  const rows = await faxRows();
  const refused =
    'unsupported: scanned PDF: 1 of 1 pages are pictures that cannot be read: its picture cannot be decoded';
  const big = [60_000, 60_000];
  expect(await shownBy(`${bitonal} /Filter /JBIG2Decode`, jbig2(rows, [width, height], big))).toBe(refused);
  const endless = fax
    .replace(`/Rows ${height}`, '/Rows 2147483647')
    .replace(`/Columns ${width}`, '/Columns -5');
  expect(await shownBy(`${bitonal} ${endless}`, rows)).toBe(refused);
});

test('draws a JPEG 2000 that says it is larger than a page can be reduced, in the memory of a page', async () => {
  const before = process.resourceUsage().maxRSS;
  // Grey, and not refused: what is drawn has no more than 40 million pixels.
  const rows = await shownBy('/Filter /JPXDecode', emptyJpeg2000(25_000));
  expect(rows).toEqual(Array.from({ length: 10 }, () => 0));
  // Each of 625 million pixels would be a number of 4 bytes.
  expect((process.resourceUsage().maxRSS - before) / 1000).toBeLessThan(500);
});

test('gives no memory to a mask that is larger than the picture whose size was looked at', () => {
  // As a PDF of 829 bytes says it.
  const mask = { width: 29_000, height: 29_000, kind: 1, data: new Uint8Array(10) };
  expect(() => asPicture(mask)).toThrow(/are more than the 40 million/);
});

test('reads no decoder that is not carried', async () => {
  const decoders = new CarriedDecoders();
  expect((await decoders.fetch({ filename: 'openjpeg.wasm' })).length).toBeGreaterThan(10_000);
  for (const filename of [
    'qcms_bg.wasm',
    'quickjs-eval.wasm',
    '../wasm/jbig2.wasm',
    'jbig2.wasm/../../package.json',
  ])
    await expect(decoders.fetch({ filename })).rejects.toThrow(`it needs ${filename}`);
});

test('cut-off pictures break nothing', async () => {
  const rows = await faxRows();
  for (const filter of ['JBIG2Decode', 'JPXDecode', 'CCITTFaxDecode'])
    for (const length of [0, 1, 40, 400]) {
      const shown = await shownBy(`${bitonal} /Filter /${filter}`, jbig2(rows).subarray(0, length));
      expect(typeof shown === 'string' ? shown : 'a picture').toMatch(/^unsupported: |^empty: |^a picture$/);
    }
});
