import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, partOfTime } from './bounds.ts';
import { openDocument } from './office/open-document.ts';
import { createXmlReader } from './office/xml.ts';
import { SpreadsheetReader } from './opendocument/spreadsheet-reader.ts';
import { cellBudget, readingShare } from './sheets/sheet-cells.ts';
import { sheetText } from './sheets/sheet-text.ts';

/** Spreadsheets of OpenDocument: every sheet by its rows, formulas by their values, hidden sheets marked as such. */
export function createOdsExtractor(bounds = defaultBounds): Extractor {
  return bounded('ODS', bounds, async ({ bytes }) => {
    const readXml = await createXmlReader(partOfTime(bounds, readingShare));
    const document = await openDocument(bytes, { format: 'ODS', extension: '.ods', bounds, readXml });
    if ('kind' in document) return document;
    const reader = new SpreadsheetReader(cellBudget(bounds.outputCharacters));
    const isRead = await readXml(document.content, reader);
    const isWhole = isRead && document.isWhole && !reader.isFull();
    const { title } = document;
    return { ...sheetText(reader.sheets, bounds.outputCharacters, isWhole), ...(title && { title }) };
  });
}

export default createOdsExtractor;
