import { expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createPdfExtractor } from './pdf.ts';
import { extractFrom, pdfOf, textOf } from './samples.fixture.ts';

const extractor = createPdfExtractor();
const encryption =
  '/Encrypt << /Filter /Standard /V 1 /R 2 /P -44 /O <28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A> ' +
  '/U <28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A> >> /ID [<01><01>]';

test('reads lines, paragraphs and pages in order, and joins words broken at line ends', async () => {
  const file = pdfOf([
    ['Hello world.', 'It is a frag-', 'mented line.', '', 'Next paragraph.'],
    ['Page two.'],
  ]);
  expect(await extractFrom(extractor, file)).toMatchObject({
    kind: 'text',
    text: 'Hello world.\nIt is a fragmented line.\n\nNext paragraph.\n\f\nPage two.',
    chunker: 'pages',
    title: 'A tale of two pages',
    metadata: { pages: 2 },
  });
});

test('leaves the bytes it was given as they are', async () => {
  const file = pdfOf([['Hello']]);
  const before = file.slice();
  await extractFrom(extractor, file);
  expect(file).toEqual(before);
});

test('says that a scanned PDF has no text, and which share of pages has none', async () => {
  expect(textOf(await extractFrom(extractor, pdfOf([[], []])))).toBe(
    'picture: scanned PDF: no text layer; to have it read: quarry model add pp-ocrv4',
  );
  const mixed = await extractFrom(extractor, pdfOf([['Cover'], []]));
  expect(mixed).toMatchObject({
    degraded: expect.stringMatching(/^1 of 2 pages have no text layer .*quarry model add pp-ocrv4/),
    unreadPages: 1,
  });
});

test('says that an encrypted PDF is one', async () => {
  expect(textOf(await extractFrom(extractor, pdfOf([['x']], encryption)))).toBe('unsupported: encrypted PDF');
});

test('reads a PDF whose cross-reference table is lost, as other readers do', async () => {
  const file = Buffer.from(pdfOf([['Hello there']]));
  const lost = Buffer.concat([
    file.subarray(0, file.indexOf('xref')),
    file.subarray(file.indexOf('trailer')),
  ]);
  expect(textOf(await extractFrom(extractor, lost))).toBe('Hello there');
});

test('gives a reason for what only pretends to be a PDF', async () => {
  for (const content of ['%PDF-1.7\n', 'not a PDF at all', '%PDF-1.4\n1 0 obj\n<< /Type /Catalog']) {
    expect(textOf(await extractFrom(extractor, content))).toMatch(/^unsupported: broken PDF: ./);
  }
});

test('stops after the page that fills the bound and says so', async () => {
  const bounds = { ...defaultBounds, outputCharacters: 10 };
  const extraction = await extractFrom(
    createPdfExtractor(bounds),
    pdfOf([['Twelve chars'], ['More'], ['More']]),
  );
  expect(extraction).toMatchObject({ degraded: 'stopped after page 1 of 3; cut after 10 characters' });
});

test('skips a PDF that is not read in time', async () => {
  const extraction = await extractFrom(
    createPdfExtractor({ ...defaultBounds, milliseconds: 0 }),
    pdfOf([['x']]),
  );
  expect(textOf(extraction)).toMatch(/^unsupported: /);
});

test('survives page trees that are loops and arrays nested without end', async () => {
  const loop =
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n';
  expect(textOf(await extractFrom(extractor, loop))).toMatch(/^(?:unsupported|picture): ./);
  const deep = `%PDF-1.4\n1 0 obj\n${'['.repeat(100_000)}\nendobj\ntrailer\n<< /Root 1 0 R >>\n`;
  expect(textOf(await extractFrom(extractor, deep))).toMatch(/^unsupported: ./);
});
