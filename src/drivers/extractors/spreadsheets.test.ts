import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createOdsExtractor } from './ods.ts';
import { compoundStart, openDocumentOf, textCell, xlsxOf } from './office/office-files.fixture.ts';
import { extractFrom, textOf } from './samples.fixture.ts';
import { columnLetters, columnNumber } from './sheets/sheet-cells.ts';
import { createXlsxExtractor } from './xlsx.ts';

const xlsx = createXlsxExtractor();
const ods = createOdsExtractor();
const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;

describe('a workbook of Excel', () => {
  test('gives a line for each row below the name of its sheet, and where each row is', async () => {
    const file = xlsxOf([
      {
        name: 'Costs',
        rows: row(2, textCell('B2', 'Item') + textCell('D2', 'Price')) + row(4, textCell('D4', '3')),
      },
      { name: 'Käse &amp; Tee', rows: row(1, textCell('A1', 'שלום')) },
      { name: 'Empty', rows: '' },
    ]);
    expect(await extractFrom(xlsx, file)).toMatchObject({
      kind: 'text',
      text: '# Costs\nItem | Price\n | 3\n\f\n# Käse & Tee\nשלום',
      chunker: 'sheets',
      type: 'sheet',
      metadata: { sheets: ['Costs', 'Käse & Tee', 'Empty'] },
      places: {
        kind: 'sheets',
        marks: [
          { start: 0, at: { sheet: 'Costs', row: 2, columns: 'B:D' } },
          { start: 8, at: { sheet: 'Costs', row: 2, columns: 'B:D' } },
          { start: 21, at: { sheet: 'Costs', row: 4, columns: 'B:D' } },
          { start: 26, at: { sheet: 'Käse & Tee', row: 1, columns: 'A' } },
          { start: 41, at: { sheet: 'Käse & Tee', row: 1, columns: 'A' } },
        ],
      },
    });
  });

  test('shows dates, times and shares as such, values of formulas, and a formula that has no value', async () => {
    const cells = [
      '<c s="1"><v>46082</v></c>',
      '<c s="3"><v>46082.4375</v></c>',
      '<c s="4"><v>1.5</v></c>',
      '<c s="2"><v>0.125</v></c>',
      '<c><v>0.30000000000000004</v></c>',
      '<c><f>SUM(A1:A2)</f><v>42</v></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>Teax</v></c>',
      '<c><f>NOW()</f></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="e"><v>#DIV/0!</v></c>',
      '<c t="s"><v>0</v></c>',
    ].join('');
    const strings = ['<r><t>東</t></r><r><t xml:space="preserve">京 </t></r><rPh><t>トウキョウ</t></rPh>'];
    expect(textOf(await extractFrom(xlsx, xlsxOf([{ name: 'S', rows: row(1, cells) }], strings)))).toBe(
      '# S\n2026-03-01 | 2026-03-01 10:30 | 36:00:00 | 12.5% | 0.3 | 42 | Teax | =NOW() | TRUE | #DIV/0! | 東京',
    );
  });

  test('counts days from 1904 where the workbook does', async () => {
    const workbook =
      '<workbook><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1"/></sheets></workbook>';
    const file = xlsxOf([{ name: 'S', rows: row(1, '<c s="1"><v>44620</v></c>') }], [], {
      'xl/workbook.xml': workbook,
    });
    expect(textOf(await extractFrom(xlsx, file))).toBe('# S\n2026-03-01');
  });

  test('reads hidden sheets and marks them, and repeats a merged cell in each of its rows', async () => {
    const rows =
      row(1, textCell('A1', 'Tea') + textCell('B1', 'green')) +
      row(2, textCell('B2', 'black')) +
      row(3, textCell('B3', 'milk'));
    const after = '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>';
    const file = xlsxOf([{ name: 'Old', state: 'veryHidden', rows, after }]);
    expect(textOf(await extractFrom(xlsx, file))).toBe('# Old (hidden)\nTea | green\nTea | black\n | milk');
  });

  test('takes the prefixes that other programs write', async () => {
    const file = xlsxOf([{ name: 'S', rows: '' }], ['<x:t>Tea</x:t>'], {
      'xl/sharedStrings.xml': '<x:sst><x:si><x:t>Tea</x:t></x:si></x:sst>',
      'xl/worksheets/sheet1.xml':
        '<x:worksheet><x:sheetData><x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    expect(textOf(await extractFrom(xlsx, file))).toBe('# S\nTea');
  });

  test('too large to unpack is read from its beginning, and says how far', async () => {
    const rows = Array.from({ length: 5000 }, (_, at) =>
      row(at + 1, textCell(`A${at + 1}`, `value ${at}`)),
    ).join('');
    const bounded = createXlsxExtractor({ ...defaultBounds, unpackedBytes: 100_000 });
    const extraction = await extractFrom(bounded, xlsxOf([{ name: 'Long', rows }]));
    expect(extraction).toMatchObject({
      kind: 'text',
      degraded: expect.stringMatching(
        /^too large: read to row 1\d{3} of sheet "Long", the rest is left out$/,
      ),
    });
    const lines = textOf(extraction).split('\n');
    expect(lines.at(-1)).toBe(`value ${lines.length - 2}`);
  });

  test('with more text than the bound is cut between rows, and says where', async () => {
    const rows = Array.from({ length: 100 }, (_, at) =>
      row(at + 1, textCell(`A${at + 1}`, `value ${at}`)),
    ).join('');
    const extraction = await extractFrom(
      createXlsxExtractor({ ...defaultBounds, outputCharacters: 200 }),
      xlsxOf([{ name: 'Long', rows }]),
    );
    expect(extraction).toMatchObject({ degraded: expect.stringContaining('of sheet "Long"') });
    expect(textOf(extraction).length).toBeLessThanOrEqual(200);
  });

  test('that claims all rows and columns there are is read in no time', async () => {
    const wide =
      row(1, textCell('A1', 'a') + textCell('XFD1', 'b')) + row(1_048_576, textCell('B1048576', 'c'));
    const after = `<mergeCells>${'<mergeCell ref="A1:A9999999"/>'.repeat(10_000)}</mergeCells>`;
    expect(textOf(await extractFrom(xlsx, xlsxOf([{ name: 'S', rows: wide, after }])))).toBe(
      '# S\na |  | b\na | c',
    );
  });

  test('that lists a sheet without end is read within the bounds, and says so', async () => {
    const rows = row(1, textCell('A1', 'again'));
    const workbook = `<workbook><sheets>${'<sheet name="S" r:id="rId1"/>'.repeat(100_000)}</sheets></workbook>`;
    const extraction = await extractFrom(
      xlsx,
      xlsxOf([{ name: 'S', rows }], [], { 'xl/workbook.xml': workbook }),
    );
    expect(extraction).toMatchObject({
      degraded: expect.stringMatching(/^too large: read to row 1 of sheet "S"/),
    });
    const tables =
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>';
    expect(await extractFrom(ods, openDocumentOf(tables.repeat(10_000)))).toMatchObject({
      degraded: expect.stringMatching(/^too large: read to row 1 of sheet "Sheet"/),
    });
  });

  test('does not expand entities that the file declares, nor look anything up', async () => {
    const file = xlsxOf([{ name: 'S', rows: '' }], [], {
      'xl/worksheets/sheet1.xml':
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b SYSTEM "file:///etc/passwd">]><worksheet><sheetData><row><c t="str"><v>&a;&b;</v></c></row></sheetData></worksheet>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="../../xl/worksheets/sheet1.xml"/><Relationship Id="rId2" TargetMode="External" Type="x/worksheet" Target="http://127.0.0.1:1/x"/></Relationships>',
    });
    expect(textOf(await extractFrom(xlsx, file))).toBe('# S\n&a;&b;');
  });

  test('that is locked, old or binary is left out with what to do about it', async () => {
    const reason = async (bytes: Uint8Array) => textOf(await extractFrom(xlsx, bytes));
    expect(await reason(compoundStart('EncryptedPackage'))).toBe(
      'unsupported: encrypted XLSX: save it without a password to have it read',
    );
    expect(await reason(compoundStart('Workbook'))).toBe(
      'unsupported: a file of Excel 97-2003: save it as .xlsx to have it read',
    );
    expect(await reason(xlsxOf([], [], { 'xl/workbook.bin': 'x' }))).toBe(
      'unsupported: a binary workbook (XLSB): save it as .xlsx to have it read',
    );
    expect(await reason(openDocumentOf(''))).toBe('unsupported: no workbook in the archive');
    expect(await reason(Buffer.from('PK'))).toMatch(/^unsupported: broken XLSX: /);
  });
});

describe('a spreadsheet of OpenDocument', () => {
  const sheet = (rows: string, attributes = '') =>
    `<office:spreadsheet><table:table table:name="Costs" ${attributes}>${rows}</table:table></office:spreadsheet>`;
  const cell = (text: string, attributes = '') =>
    `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
  const line = (cells: string, attributes = '') =>
    `<table:table-row ${attributes}>${cells}</table:table-row>`;

  test('gives rows with dates, notes, repeated and merged cells', async () => {
    const rows =
      line(cell('Item') + '<table:table-cell table:number-columns-repeated="3"/>' + cell('When')) +
      line('<table:table-cell/>', 'table:number-rows-repeated="1000000"') +
      line(
        cell('Tea', 'table:number-rows-spanned="2"') +
          cell('0', 'table:number-columns-repeated="3" office:value-type="float" office:value="0"') +
          '<table:table-cell office:value-type="date" office:date-value="2026-03-01T00:00:00"><office:annotation><text:p>late</text:p></office:annotation><text:p>01.03.26</text:p></table:table-cell>',
      ) +
      line('<table:covered-table-cell/>' + cell('<text:span>1,5</text:span> €'));
    expect(await extractFrom(ods, openDocumentOf(sheet(rows)))).toMatchObject({
      text: '# Costs\nItem |  |  |  | When\nTea | 0 | 0 | 0 | 2026-03-01 [note: late]\nTea | 1,5 €',
      places: {
        marks: [
          { at: { row: 1 } },
          { at: { row: 1, columns: 'A:E', sheet: 'Costs' } },
          { at: { row: 1_000_002 } },
          { at: { row: 1_000_003 } },
        ],
      },
    });
  });

  test('marks hidden sheets, and leaves out what was changed', async () => {
    const styles =
      '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>';
    const changed =
      '<table:tracked-changes><table:table-cell><text:p>gone</text:p></table:table-cell></table:tracked-changes>';
    const body = changed + sheet(line(cell('kept')), 'table:style-name="ta2"');
    expect(textOf(await extractFrom(ods, openDocumentOf(body, styles)))).toBe('# Costs (hidden)\nkept');
  });

  test('is read as one file of XML too, with its title', async () => {
    const flat = `<?xml version="1.0"?><office:document><office:meta><dc:title>Year</dc:title></office:meta>${sheet(line(cell('a')))}</office:document>`;
    expect(await extractFrom(ods, flat)).toMatchObject({ text: '# Costs\na', title: 'Year' });
  });

  test('that repeats a value without end is bounded, and says so', async () => {
    const rows = line(
      cell('x', 'table:number-columns-repeated="16384"'),
      'table:number-rows-repeated="1048576"',
    );
    const bounded = createOdsExtractor({ ...defaultBounds, outputCharacters: 100_000 });
    const extraction = await extractFrom(bounded, openDocumentOf(sheet(rows)));
    expect(extraction).toMatchObject({ kind: 'text', degraded: 'cut in sheet "Costs" before row 2' });
  });

  test('that is locked is left out with what to do about it', async () => {
    const parts = { 'META-INF/manifest.xml': '<manifest:encryption-data manifest:checksum="x"/>' };
    expect(textOf(await extractFrom(ods, openDocumentOf(sheet(''), '', parts)))).toBe(
      'unsupported: encrypted ODS: save it without a password to have it read',
    );
  });
});

test('columns have the letters that spreadsheets give them', () => {
  for (const [letters, number] of [
    ['A', 1],
    ['Z', 26],
    ['AA', 27],
    ['XFD', 16384],
  ] as const) {
    expect(columnLetters(number)).toBe(letters);
    expect(columnNumber(letters)).toBe(number);
  }
});
