import type { Extractor } from '../../contracts/extractor.ts';
import { type Bounds, bounded, defaultBounds, partOfTime } from './bounds.ts';
import {
  compoundFileSkip,
  decodeXml,
  elementText,
  localName,
  optionalPart,
  prefixed,
  relationsOf,
  startOfPart,
  unreadable,
} from './office/parts.ts';
import { createXmlReader, type XmlReader } from './office/xml.ts';
import { openZip, type ZipArchive } from './office/zip.ts';
import { cellBudget, maxSheets, readingShare, type Sheet, SheetCells } from './sheets/sheet-cells.ts';
import { sheetText } from './sheets/sheet-text.ts';
import { cellStyles } from './xlsx/number-formats.ts';
import { type WorkbookFacts, WorksheetReader } from './xlsx/worksheet.ts';

/** Workbooks of Excel: every sheet by its rows, formulas by their values, hidden sheets marked as such. */
export function createXlsxExtractor(bounds = defaultBounds): Extractor {
  return bounded('XLSX', bounds, async ({ bytes }) => {
    const other = compoundFileSkip(bytes, 'XLSX', 'Excel 97-2003', '.xlsx');
    if (other) return other;
    const archive = openZip(bytes, bounds.unpackedBytes);
    if (archive.has('xl/workbook.bin'))
      return unreadable('a binary workbook (XLSB): save it as .xlsx to have it read');
    if (!archive.has('xl/workbook.xml')) return unreadable('no workbook in the archive');
    return read(archive, bounds);
  });
}

export default createXlsxExtractor;

interface NamedSheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
}

async function read(archive: ZipArchive, bounds: Bounds) {
  const deadline = partOfTime(bounds, readingShare);
  const readXml = await createXmlReader(deadline);
  const { sheets: named, is1904 } = await workbook(archive, readXml);
  const shared = await sharedStrings(archive, readXml);
  const styles = await cellStyles(optionalPart(archive, 'xl/styles.xml'), readXml);
  const facts: WorkbookFacts = { strings: shared.strings, styles, is1904 };
  const budget = cellBudget(bounds.outputCharacters);
  const sheets: Sheet[] = [];
  let isWhole = shared.isWhole && named.length <= maxSheets;
  for (const { name, isHidden, part } of named.slice(0, maxSheets)) {
    const cells = new SheetCells(budget);
    const reader = new WorksheetReader(facts, cells);
    const start = cells.isFull || deadline.passed() ? undefined : await startOfPart(archive, part);
    const isRead = start !== undefined && (await readXml(start.xml, reader)) && start.isWhole;
    for (const merged of reader.merged) cells.spread(merged);
    if ((!isRead && archive.has(part)) || cells.isFull) isWhole = false;
    sheets.push({ name, isHidden, cells });
  }
  const title = await elementText(optionalPart(archive, 'docProps/core.xml'), 'dc:title', readXml);
  return { ...sheetText(sheets, bounds.outputCharacters, isWhole), ...(title && { title }) };
}

/** The sheets in their order. What is no sheet of cells, a chart or a macro, is left out. */
async function workbook(
  archive: ZipArchive,
  readXml: XmlReader,
): Promise<{ readonly sheets: readonly NamedSheet[]; readonly is1904: boolean }> {
  const relations = await relationsOf(archive, 'xl/workbook.xml', readXml);
  const sheets: NamedSheet[] = [];
  let is1904 = false;
  await readXml(decodeXml(archive.read('xl/workbook.xml')) ?? '', {
    open(element, attributes) {
      const { name, state = 'visible', date1904 } = attributes;
      if (localName(element) === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true';
      if (localName(element) !== 'sheet' || name === undefined) return;
      const relation = relations.get(prefixed(attributes, 'id') ?? '');
      const part = relation?.target ?? `xl/worksheets/sheet${sheets.length + 1}.xml`;
      if (relation !== undefined && relation.kind !== 'worksheet') return;
      sheets.push({ name: sheetName(name), isHidden: state !== 'visible', part });
    },
  });
  return { sheets, is1904 };
}

/** On one line and not endless, since it stands in every citation. */
function sheetName(name: string): string {
  return name.replace(/\s+/g, ' ').trim().slice(0, 100);
}

/** The texts of all sheets, which refer to them by number; how they are pronounced is no part of them. */
async function sharedStrings(
  archive: ZipArchive,
  readXml: XmlReader,
): Promise<{ readonly strings: readonly string[]; readonly isWhole: boolean }> {
  const start = await startOfPart(archive, 'xl/sharedStrings.xml');
  const strings: string[] = [];
  if (!start) return { strings, isWhole: true };
  let words = '';
  let isPhonetic = false;
  let inText = false;
  const isRead = await readXml(start.xml, {
    open(name) {
      const element = localName(name);
      if (element === 'si') words = '';
      else if (element === 'rPh') isPhonetic = true;
      else if (element === 't') inText = !isPhonetic;
    },
    text(text) {
      if (inText) words += text;
    },
    close(name) {
      const element = localName(name);
      if (element === 'si') strings.push(words);
      else if (element === 'rPh') isPhonetic = false;
      else if (element === 't') inText = false;
    },
  });
  return { strings, isWhole: isRead && start.isWhole };
}
