import { strToU8, zipSync } from 'fflate';

/** A ZIP file of these parts. */
export function archiveOf(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );
}

/** A sheet of a workbook: rows as XML, and what follows them. */
export interface SheetSample {
  readonly name: string;
  readonly state?: string;
  readonly rows: string;
  readonly after?: string;
}

/** A workbook with styles 0 number, 1 date, 2 share, 3 date and time, 4 hours; `strings` are those that cells share. */
export function xlsxOf(
  sheets: readonly SheetSample[],
  strings: readonly string[] = [],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/relationships/${kind}" Target="${target}"/>`;
  return archiveOf({
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${sheets
      .map(
        ({ name, state }, at) =>
          `<sheet name="${name}" ${state ? `state="${state}" ` : ''}r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`))
      .join('')}</Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]dd/mm/yyyy hh:mm"/>' +
      '<numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>' +
      '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${strings.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** A cell with its text in place. */
export function textCell(name: string, text: string): string {
  return `<c r="${name}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** A file of OpenDocument with this body and these styles of its own. */
export function openDocumentOf(
  body: string,
  styles = '',
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  return archiveOf({
    mimetype: 'application/vnd.oasis.opendocument',
    'content.xml': `<?xml version="1.0"?><office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    ...parts,
  });
}

/** A compound file by its first bytes, with a name of a stream in it. */
export function compoundStart(stream: string): Uint8Array {
  return Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(600),
    Buffer.from(stream, 'utf16le'),
  ]);
}
