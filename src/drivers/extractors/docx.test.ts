import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { draws } from '../../../test/property-draws.ts';
import { defaultBounds } from './bounds.ts';
import { createDocxExtractor } from './docx.ts';
import { docxOf, extractFrom, textOf, wordParagraph } from './samples.fixture.ts';

const extractor = createDocxExtractor();
const item = (depth: number, list: number) =>
  `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`;
const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;

test('gives headings, lists and tables as Markdown, headings by the styles of any language', async () => {
  const body = [
    wordParagraph('Report', '<w:pStyle w:val="Titel"/>'),
    wordParagraph('Fish &amp; chips'),
    wordParagraph('Details', '<w:pStyle w:val="berschrift2"/>'),
    wordParagraph('Outline', '<w:pStyle w:val="Own"/>'),
    wordParagraph('bullet', item(0, 1)),
    wordParagraph('inner', item(1, 1)),
    wordParagraph('first', item(0, 2)),
    `<w:tbl><w:tr>${cell('Key')}${cell('Value')}</w:tr><w:tr>${cell('a')}${cell('1')}</w:tr></w:tbl>`,
  ].join('');
  const text = [
    '# Report',
    'Fish & chips',
    '## Details',
    '### Outline',
    '- bullet',
    '  - inner',
    '1. first',
    '| Key | Value |\n| --- | --- |\n| a | 1 |',
  ].join('\n\n');
  expect(await extractFrom(extractor, docxOf(body))).toMatchObject({
    kind: 'text',
    text,
    chunker: 'markdown',
    title: 'Report',
  });
});

test('joins the runs of a paragraph, leaves deleted text out and adds notes at the end', async () => {
  const body =
    '<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r>' +
    '<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>';
  const notes = { 'word/footnotes.xml': `<w:footnotes>${wordParagraph('A note.')}</w:footnotes>` };
  expect(textOf(await extractFrom(extractor, docxOf(body, notes)))).toBe('one\ttwo\nthree\n\nA note.');
});

test('prefers the title in the properties of the file', async () => {
  const core = { 'docProps/core.xml': '<cp:coreProperties><dc:title>Stated</dc:title></cp:coreProperties>' };
  expect(await extractFrom(extractor, docxOf(wordParagraph('x'), core))).toMatchObject({ title: 'Stated' });
});

test('does not expand entities that the file declares', async () => {
  const bomb = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
  const file = docxOf('', { 'word/document.xml': `${bomb}<w:document>${wordParagraph('&b;')}</w:document>` });
  expect(textOf(await extractFrom(extractor, file))).toBe('&b;');
});

test('stops a zip bomb at the bound, whatever size it states', async () => {
  const bounds = { ...defaultBounds, unpackedBytes: 100_000 };
  const file = docxOf(wordParagraph('0'.repeat(10_000_000)));
  expect(file.length).toBeLessThan(50_000);
  const rule = 'unsupported: broken DOCX: unpacks to more than the bound';
  expect(textOf(await extractFrom(createDocxExtractor(bounds), file))).toBe(rule);
  const directory = Buffer.from(file);
  for (let at = directory.indexOf('PK\x01\x02'); at >= 0; at = directory.indexOf('PK\x01\x02', at + 4)) {
    directory.writeUInt32LE(10, at + 24);
  }
  expect(textOf(await extractFrom(createDocxExtractor(bounds), directory))).toBe(rule);
});

test('counts the parts together against the bound, and does without the lesser ones', async () => {
  const bounds = { ...defaultBounds, unpackedBytes: 100_000 };
  const file = docxOf(wordParagraph('kept'), { 'word/footnotes.xml': '0'.repeat(1_000_000) });
  expect(textOf(await extractFrom(createDocxExtractor(bounds), file))).toBe('kept');
});

test('gives a reason for every kind of file that is no readable Word file', async () => {
  const reason = async (bytes: Uint8Array) => textOf(await extractFrom(extractor, bytes));
  const file = docxOf(wordParagraph('x'));
  expect(await reason(zipSync({ 'other.xml': strToU8('<x/>') }))).toBe(
    'unsupported: no Word document in the archive',
  );
  expect(await reason(Buffer.from('d0cf11e0a1b11ae100', 'hex'))).toBe(
    'unsupported: a file of Word 97-2003: save it as .docx to have it read',
  );
  expect(await reason(file.subarray(0, file.length >> 1))).toBe(
    'unsupported: broken DOCX: no ZIP directory: truncated or another format',
  );
  expect(await reason(strToU8('PK'))).toMatch(/^unsupported: broken DOCX: ./);
  const locked = Buffer.from(file);
  for (let at = locked.indexOf('PK\x01\x02'); at >= 0; at = locked.indexOf('PK\x01\x02', at + 4)) {
    locked.writeUInt16LE(1, at + 8);
  }
  expect(await reason(locked)).toBe(
    'unsupported: broken DOCX: encrypted ZIP part: save the file without a password to have it read',
  );
});

test('survives tables and paragraphs nested without end', async () => {
  const body = `${'<w:tbl><w:tr><w:tc><w:p>'.repeat(5_000)}<w:r><w:t>deep</w:t></w:r>`;
  expect(textOf(await extractFrom(extractor, docxOf(body)))).toContain('deep');
});

test('gives text or a reason for elements in any order, closed or not', async () => {
  const names = 'w:p w:r w:t w:tbl w:tr w:tc w:del mc:Fallback w:pPr w:br w:tab w:numPr'.split(' ');
  const part = fc.oneof(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('', '/')).map(([name, end]) => `<${end}${name}>`),
    fc.constantFrom(
      '<w:ilvl w:val="-9"/>',
      '<w:numId w:val="2"/>',
      '<w:pStyle w:val="Titel"/>',
      '&#x0;&nope;',
      ']]>',
    ),
    fc.string({ unit: 'grapheme', maxLength: 10 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 60 }), async (parts) => {
      expect(textOf(await extractFrom(extractor, docxOf(parts.join(''))))).not.toBe('');
    }),
    { numRuns: draws(200) },
  );
});
