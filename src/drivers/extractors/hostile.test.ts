import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import type { Extraction, Extractor, RawFile } from '../../contracts/extractor.ts';
import { threadFile } from '../../platform/package-folder.ts';
import { createThread } from '../../platform/threads/thread.ts';
import { defaultBounds } from './bounds.ts';
import { createDocxExtractor } from './docx.ts';
import { createEmailExtractor } from './email.ts';
import { createEpubExtractor } from './epub.ts';
import { createHtmlExtractor } from './html.ts';
import { createIcsExtractor } from './ics.ts';
import { createMarkdownExtractor } from './markdown.ts';
import { createMboxExtractor } from './mbox.ts';
import { msgOf } from './msg/compound-file.fixture.ts';
import { createMsgExtractor } from './msg.ts';
import { createNotebookExtractor } from './notebook.ts';
import { createOdpExtractor } from './odp.ts';
import { createOdsExtractor } from './ods.ts';
import { createOdtExtractor } from './odt.ts';
import {
  epubOf,
  openDocumentOf,
  pptxOf,
  sampleCalendar,
  sampleContacts,
  shapeOf,
  textCell,
  xlsxOf,
} from './office/office-files.fixture.ts';
import { createPptxExtractor } from './pptx.ts';
import { createRtfExtractor } from './rtf.ts';
import {
  docxOf,
  extractFrom,
  pdfOf,
  sampleMessage,
  sampleNotebook,
  samplePage,
  wordParagraph,
} from './samples.fixture.ts';
import { createTextExtractor } from './text.ts';
import { createVcfExtractor } from './vcf.ts';
import { createXlsxExtractor } from './xlsx.ts';

const bounds = { ...defaultBounds, unpackedBytes: 1_000_000, outputCharacters: 100_000, milliseconds: 5000 };
const table = `<w:tbl><w:tr><w:tc>${wordParagraph('a')}</w:tc><w:tc>${wordParagraph('b')}</w:tc></w:tr></w:tbl>`;
const mailbox = `From a@b.c Tue Mar  3 10:00:00 2026\n${sampleMessage}`.repeat(2);

const sampleSheet =
  '<table:table table:name="S"><table:table-row><table:table-cell><text:p>Tea</text:p></table:table-cell></table:table-row></table:table>';

/** PDF is read in a thread, as in the product: no handler of its caller sees all that its parser throws. */
const pdfThread = createThread<RawFile, Extraction>({
  file: threadFile('drivers/extractors/pdf-thread.fixture'),
  data: bounds,
});
afterAll(() => pdfThread.end());

/** Each extractor with a valid file of its format. */
const formats: Record<string, readonly [Extractor, Uint8Array]> = {
  text: [createTextExtractor(bounds), Buffer.from('From: a@b.c\nSubject: x\n\nGrüße und 日本語.\n')],
  Markdown: [
    createMarkdownExtractor(bounds),
    Buffer.from('---\ntitle: x\ntags: [a]\n---\n# Head\n```\ncode\n```\n'),
  ],
  PDF: [{ extract: (file) => pdfThread.call(file) }, pdfOf([['One line', 'another'], ['Page two'], []])],
  HTML: [createHtmlExtractor(bounds), Buffer.from(samplePage)],
  DOCX: [createDocxExtractor(bounds), docxOf(wordParagraph('x', '<w:pStyle w:val="Titel"/>') + table)],
  'e-mail': [createEmailExtractor(bounds), Buffer.from(sampleMessage)],
  mbox: [createMboxExtractor(bounds), Buffer.from(mailbox)],
  notebook: [createNotebookExtractor(bounds), Buffer.from(sampleNotebook)],
  XLSX: [
    createXlsxExtractor(bounds),
    xlsxOf([{ name: 'S', rows: `<row r="1">${textCell('A1', 'Tea')}</row>` }]),
  ],
  ODS: [createOdsExtractor(bounds), openDocumentOf(sampleSheet)],
  PPTX: [
    createPptxExtractor(bounds),
    pptxOf([{ shapes: shapeOf('Tea', 'title') + shapeOf('cup'), notes: 'milk' }]),
  ],
  ODP: [createOdpExtractor(bounds), openDocumentOf('<draw:page><text:p>Tea</text:p></draw:page>')],
  ODT: [createOdtExtractor(bounds), openDocumentOf(`<text:h>Tea</text:h><text:p>cup</text:p>${sampleSheet}`)],
  EPUB: [
    createEpubExtractor(bounds),
    epubOf([{ html: '<h1>Tea</h1><p>cup</p>' }, { html: 'milk', name: 'Milk' }]),
  ],
  iCalendar: [createIcsExtractor(bounds), Buffer.from(sampleCalendar)],
  RTF: [
    createRtfExtractor(bounds),
    Buffer.from(
      "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset204 A;}}\\s1 T\\'e9a\\u1513?\\par\\intbl a\\cell b\\cell\\row}",
    ),
  ],
  'Outlook message': [createMsgExtractor(bounds), msgOf()],
  vCard: [createVcfExtractor(bounds), Buffer.from(sampleContacts)],
};

/** Places and bytes to change, and where to end: enough to reach every part of a parser. */
const damage = fc.record({
  flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 12 }),
  inserts: fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 20 })), { maxLength: 3 }),
  copies: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(400)), { maxLength: 3 }),
  keep: fc.oneof(
    { weight: 3, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
});

function damaged(
  valid: Uint8Array,
  { flips, inserts, copies, keep }: typeof damage extends fc.Arbitrary<infer T> ? T : never,
): Uint8Array {
  let bytes = Buffer.from(valid);
  for (const [at, value] of flips) bytes[at % bytes.length] = value;
  for (const [from, to, length] of copies) {
    const start = from % bytes.length;
    bytes.copy(bytes, to % bytes.length, start, start + length);
  }
  for (const [at, extra] of inserts) {
    const start = at % bytes.length;
    bytes = Buffer.concat([bytes.subarray(0, start), extra, bytes.subarray(start)]);
  }
  return bytes.subarray(0, Math.ceil(bytes.length * keep));
}

async function expectSettled(extractor: Extractor, bytes: Uint8Array): Promise<void> {
  const extraction = await extractFrom(extractor, bytes);
  if (extraction.kind === 'skip') expect(extraction.rule).not.toBe('');
  else {
    expect(extraction.text.trim()).not.toBe('');
    expect(extraction.text.isWellFormed()).toBe(true);
    expect(extraction.text.length).toBeLessThanOrEqual(bounds.outputCharacters);
  }
}

describe.each(Object.keys(formats))('a damaged file of %s', (name) => {
  const [extractor, valid] = formats[name] ?? [createTextExtractor(), new Uint8Array()];

  test('gives text or a reason, never an exception', async () => {
    await fc.assert(
      fc.asyncProperty(damage, (change) => expectSettled(extractor, damaged(valid, change))),
      { numRuns: draws(200) },
    );
  });

  test('gives text or a reason when cut off anywhere', async () => {
    const step = Math.max(1, valid.length >> 6);
    for (let length = 0; length < valid.length; length += step) {
      await expectSettled(extractor, valid.subarray(0, length));
    }
  });

  test('gives a reason for zero bytes, zeros and other formats', async () => {
    expect(await extractFrom(extractor, new Uint8Array())).toEqual({
      kind: 'skip',
      reason: 'empty',
      rule: 'zero bytes',
    });
    await expectSettled(extractor, new Uint8Array(10_000));
    for (const [, other] of Object.values(formats)) await expectSettled(extractor, other);
  });

  test('is skipped unread when it is too large', async () => {
    // A view of 200 MB of memory that was never touched costs nothing.
    const extraction = await extractFrom(extractor, new Uint8Array(200 * 1024 * 1024));
    expect(extraction).toMatchObject({ kind: 'skip', reason: 'too-large' });
  });
});
