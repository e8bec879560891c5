import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FileRecogniser } from '../../contracts/recogniser.ts';
import type { Picture } from '../../core/picture.ts';
import { defaultBounds } from './bounds.ts';
import { drawPage } from './pdf/draw-page.ts';
import { openPdf } from './pdf/open-pdf.ts';
import { pagesOf } from './picture/decode.ts';
import { upright } from './picture/orientation.ts';
import { tiffAsPdf } from './picture/tiff-as-pdf.ts';
import { createPictureExtractor } from './picture.ts';
import { textOf } from './samples.fixture.ts';

const extractor = createPictureExtractor();
const sample = (name: string) =>
  readFile(new URL(`../../../test/fixtures/pictures/${name}`, import.meta.url));
const extract = (bytes: Uint8Array, recogniser?: FileRecogniser) =>
  extractor.extract({ uri: 'scan.png', bytes, mediaType: 'image/png' }, recogniser);

/** Reads the size of each picture in place of its text. */
const measuring: FileRecogniser = {
  milliseconds: 60_000,
  async readPage(page, _, decode) {
    const picture = await decode();
    const text = `page ${page}: ${picture?.width} x ${picture?.height}`;
    return { text, words: [{ start: 0, end: 4, page: 1, left: 1, top: 2, width: 3, height: 4 }] };
  },
};

async function firstPage(name: string): Promise<Picture> {
  const [decode] = pagesOf(await sample(name));
  if (!decode) throw new Error('no page');
  return decode();
}

/** The share of dark pixels in each quarter, which is the same for one picture in all formats. */
function darkness({ width, height, pixels }: Picture): number[] {
  const quarters = [0, 0, 0, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if ((pixels[(y * width + x) * 3] ?? 255) < 128) {
        const at = (y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1);
        quarters[at] = (quarters[at] ?? 0) + 400 / (width * height);
      }
  return quarters.map(Math.round);
}

test('shows the same picture whether it comes as PNG, JPEG, WebP or TIFF', async () => {
  const png = await firstPage('harbour.png');
  expect([png.width, png.height]).toEqual([420, 110]);
  for (const name of ['harbour.jpg', 'harbour.webp', 'two-pages.tif'])
    expect(darkness(await firstPage(name))).toEqual(darkness(png));
});

test('reads every page of a TIFF, and says where each word stands', async () => {
  expect(await extract(await sample('two-pages.tif'), measuring)).toMatchObject({
    kind: 'text',
    text: 'page 1: 420 x 110\n\f\npage 2: 420 x 110',
    type: 'image',
    chunker: 'pages',
    places: { kind: 'pages' },
    words: [
      { start: 0, page: 1 },
      { start: 20, page: 2 },
    ],
  });
});

test('goes by what is in a file, whatever its name says', async () => {
  expect(textOf(await extract(await sample('harbour.jpg'), measuring))).toBe('page 1: 420 x 110');
  expect(textOf(await extract(Buffer.from('no picture at all'), measuring))).toBe(
    'unsupported: a picture that cannot be read: it is no PNG, JPEG, TIFF or WebP',
  );
});

test('says what to install where nothing reads pictures', async () => {
  expect(textOf(await extract(await sample('harbour.png')))).toMatch(
    /^picture: .*quarry model add pp-ocrv4$/,
  );
});

test('stops when the time for its pages is over, and says so', async () => {
  const slow = createPictureExtractor({ ...defaultBounds, milliseconds: 60_000 });
  const late = { ...measuring, milliseconds: -1 };
  const bytes = await sample('two-pages.tif');
  expect(await slow.extract({ uri: 'fax.tif', bytes, mediaType: 'image/tiff' }, late)).toMatchObject({
    text: 'page 1: 420 x 110',
    degraded: 'stopped after page 1 of 2: its time is over',
  });
});

function chunk(type: string, content: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)]);
}

function png(width: number, height: number, rows: Uint8Array, further: Uint8Array = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const mark = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    mark,
    chunk('IHDR', header),
    further,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('skips hostile pictures with a reason, before they take memory', async () => {
  const cases: [why: RegExp, bytes: Uint8Array][] = [
    [/100000 x 100000 pixels are more/, png(100_000, 100_000, Buffer.alloc(10))],
    [/30000 x 30000 pixels are more/, png(30_000, 30_000, Buffer.alloc(10))],
    [/no pixels/, png(0, 10, Buffer.alloc(10))],
    // Unpacks to a gigabyte where a hundred bytes are due.
    [/cannot be unpacked/, png(9, 10, Buffer.alloc(2 ** 20))],
    [/animated/, png(9, 10, Buffer.alloc(100), chunk('acTL', Buffer.alloc(8)))],
    [/no size/, Buffer.from('89504e470d0a1a0a', 'hex')],
    [/no size|damaged/, Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(500, 0xff)])],
    [/ends too early/, Buffer.from('II*\0\xff\xff\xff\x7f', 'latin1')],
    [/ends too early|unknown/, Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
  ];
  for (const [why, bytes] of cases) expect(textOf(await extract(bytes, measuring))).toMatch(why);
  const cut = (await sample('harbour.webp')).subarray(0, 60);
  expect(textOf(await extract(cut, measuring))).toMatch(/^unsupported: /);
});

test('leaves no loop of pages running', async () => {
  const loop = Buffer.from(await sample('two-pages.tif'));
  // The facts of the first page name themselves as those of the next.
  const first = loop.readUInt32LE(4);
  loop.writeUInt32LE(first, first + 2 + loop.readUInt16LE(first) * 12);
  expect(pagesOf(loop)).toHaveLength(1);
});

test('turns a photograph as its camera was held', () => {
  const picture = { width: 2, height: 1, pixels: Uint8Array.from([1, 1, 1, 2, 2, 2]) };
  expect(upright(picture, 6)).toEqual({ width: 1, height: 2, pixels: Uint8Array.from([1, 1, 1, 2, 2, 2]) });
  expect(upright(picture, 3).pixels).toEqual(Uint8Array.from([2, 2, 2, 1, 1, 1]));
  expect(upright(picture, 1)).toBe(picture);
});

test('a TIFF as a PDF has its pages with the same picture, and one that names its bytes again and again is refused', async () => {
  for (const [name, pages] of [
    ['two-pages.tif', 2],
    ['harbour-g3.tif', 1],
    ['harbour-g4.tif', 1],
  ] as const) {
    const task = await openPdf(new Uint8Array(tiffAsPdf(await sample(name))), 1_000_000);
    const document = await task.promise;
    expect(document.numPages).toBe(pages);
    const drawn = await drawPage(await document.getPage(pages));
    const decoded = await pagesOf(await sample(name))[pages - 1]?.();
    if (!drawn || !decoded) throw new Error('no page');
    expect(darkness(drawn)).toEqual(darkness(decoded));
    await task.destroy();
  }
  expect(() => tiffAsPdf(strippedTiff(1000))).toThrow('its parts overlap');
});

test('a TIFF whose strips are empty is refused where describing them would take long', () => {
  const withColours = (colours: number): Fact[] => [
    [262, 3, 1, 3],
    [279, 4, 30_000, 200],
    [320, 3, colours, 200],
  ];
  expect(() => tiffAsPdf(strippedTiff(30_000, withColours(768)))).toThrow('it has too many parts');
  expect(() => tiffAsPdf(strippedTiff(30_000, withColours(60_000)))).toThrow(
    'its table of colours is too long',
  );
});

type Fact = readonly [tag: number, type: number, length: number, value: number];

/** A TIFF of one page whose strips are all the same bytes: those of the whole file, where no fact says how many. */
function strippedTiff(count: number, more: readonly Fact[] = []): Uint8Array {
  const entries: readonly Fact[] = [
    [256, 3, 1, 8],
    [257, 3, 1, count],
    [258, 3, 1, 8],
    [273, 4, count, 200],
    [278, 3, 1, 1],
    ...more,
  ];
  const file = Buffer.alloc(200 + count * 4);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  file.writeUInt16LE(entries.length, 8);
  for (const [index, [tag, type, length, value]] of entries.entries()) {
    const at = 10 + index * 12;
    file.writeUInt16LE(tag, at);
    file.writeUInt16LE(type, at + 2);
    file.writeUInt32LE(length, at + 4);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}
