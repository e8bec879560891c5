import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { FileRecogniser } from '../../../contracts/recogniser.ts';
import type { Picture } from '../../../core/picture.ts';
import { createPdfExtractor } from '../pdf.ts';
import { pagesOf } from '../picture/decode.ts';
import { asPicture } from '../picture/pdf-picture.ts';
import { readDirectory } from '../picture/tiff-directory.ts';
import { extractFrom, textOf } from '../samples.fixture.ts';
import { pdfAround } from './open-pdf.ts';

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

/** A picture as JPEG 2000 that says another size of itself, as one tile. */
function resized(file: Buffer, side: number): Buffer {
  const changed = Buffer.from(file);
  const size = changed.indexOf(Buffer.from('ff51', 'hex'));
  for (const at of [6, 10, 22, 26]) changed.writeUInt32BE(side, size + at);
  for (const at of [4, 8]) changed.writeUInt32BE(side, changed.indexOf('ihdr') + at);
  return changed;
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
  expect(await shownBy('/Filter /JPXDecode', resized(await sample('harbour.jp2'), 12_000))).toBe(refused);
  const endless = fax
    .replace(`/Rows ${height}`, '/Rows 2147483647')
    .replace(`/Columns ${width}`, '/Columns -5');
  expect(await shownBy(`${bitonal} ${endless}`, rows)).toBe(refused);
});

test('gives no memory to a mask that is larger than the picture whose size was looked at', () => {
  // As a PDF of 829 bytes says it.
  const mask = { width: 29_000, height: 29_000, kind: 1, data: new Uint8Array(10) };
  expect(() => asPicture(mask)).toThrow(/are more than the 40 million/);
});

test('reads no decoder that is not carried, and cut-off pictures break nothing', async () => {
  const rows = await faxRows();
  for (const filter of ['JBIG2Decode', 'JPXDecode', 'CCITTFaxDecode'])
    for (const length of [0, 1, 40, 400]) {
      const shown = await shownBy(`${bitonal} /Filter /${filter}`, jbig2(rows).subarray(0, length));
      expect(typeof shown === 'string' ? shown : 'a picture').toMatch(/^unsupported: |^empty: |^a picture$/);
    }
});
