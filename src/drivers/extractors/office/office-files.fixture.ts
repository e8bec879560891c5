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

/** A slide of a presentation: shapes as XML, the words of its notes, whether it is shown. */
export interface SlideSample {
  readonly shapes: string;
  readonly notes?: string;
  readonly isHidden?: boolean;
}

/** A presentation whose slides are kept in the opposite order of that in which they are shown. */
export function pptxOf(
  slides: readonly SlideSample[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const part = (at: number) => `slides/slide${slides.length - at}.xml`;
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/relationships/${kind}" Target="${target}"/>`;
  const own = slides.flatMap(({ shapes, notes, isHidden }, at) => [
    [`ppt/${part(at)}`, `<p:sld${isHidden ? ' show="0"' : ''}><p:spTree>${shapes}</p:spTree></p:sld>`],
    [
      `ppt/slides/_rels/slide${slides.length - at}.xml.rels`,
      `<Relationships>${relation('rId1', 'notesSlide', `../notesSlides/notesSlide${at}.xml`)}${relation('rId2', 'diagramData', `../diagrams/data${at}.xml`)}</Relationships>`,
    ],
    [
      `ppt/notesSlides/notesSlide${at}.xml`,
      `<p:notes>${shapeOf(notes ?? '', 'body')}${shapeOf('12', 'sldNum')}</p:notes>`,
    ],
  ]);
  return archiveOf({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="2${at}" r:id="rId${at}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_, at) => relation(`rId${at}`, 'slide', part(at))).join('')}</Relationships>`,
    ...Object.fromEntries(own),
    ...parts,
  });
}

/** A shape with these words, in the place of a layout that it fills. */
export function shapeOf(words: string, place = ''): string {
  const holder = place === '' ? '' : `<p:nvPr><p:ph type="${place}"/></p:nvPr>`;
  return `<p:sp>${holder}<p:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`;
}

/** A book with these chapters; the table of contents, of version 2, names those that have a name. */
export function epubOf(
  chapters: readonly { readonly html: string; readonly name?: string }[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const items = chapters.map(
    (_, at) => `<item id="c${at}" href="text/c%20${at}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const names = chapters.map(({ name }, at) =>
    name === undefined
      ? ''
      : `<navPoint><navLabel><text>${name}</text></navLabel><content src="text/c%20${at}.xhtml#top"/></navPoint>`,
  );
  return archiveOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package><metadata><dc:title>On tea</dc:title><dc:creator>Ada</dc:creator><dc:language>en</dc:language></metadata>' +
      `<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>${items.join('')}</manifest>` +
      `<spine toc="ncx">${chapters.map((_, at) => `<itemref idref="c${at}"/>`).join('')}</spine></package>`,
    'OPS/toc.ncx': `<ncx><navMap>${names.join('')}</navMap></ncx>`,
    ...Object.fromEntries(
      chapters.map(({ html }, at) => [`OPS/text/c ${at}.xhtml`, `<html><body>${html}</body></html>`]),
    ),
    ...parts,
  });
}

/** A calendar with a meeting that has an alarm. */
export const sampleCalendar = [
  'BEGIN:VCALENDAR',
  'X-WR-CALNAME:Team',
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'END:VTIMEZONE',
  'BEGIN:VEVENT',
  'DTSTART;TZID=Europe/Berlin:20260301T100000',
  'DTEND;TZID=Europe/Berlin:20260301T113000',
  'SUMMARY:Review\\, with',
  '  cake',
  'LOCATION:Room 4',
  'ORGANIZER;CN="Ada, chair":mailto:ada@example.org',
  'ATTENDEE;CN=Bo;PARTSTAT=DECLINED:mailto:bo@example.org',
  'ATTENDEE:mailto:cy@example.org',
  'RRULE:FREQ=WEEKLY;BYDAY=MO',
  'DESCRIPTION:First line.\\nSecond; line.',
  'ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA',
  'BEGIN:VALARM',
  'DESCRIPTION:Alarm!',
  'END:VALARM',
  'END:VEVENT',
  'BEGIN:VTODO',
  'SUMMARY:لنشرب الشاي',
  'DUE;VALUE=DATE:20260401',
  'END:VTODO',
  'END:VCALENDAR',
  '',
].join('\r\n');

/** Contacts of versions 4, 2.1 and 3. */
export const sampleContacts = [
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Ada Lovelace',
  'N:Lovelace;Ada;;;',
  'ORG:Engines\\; Ltd;Research',
  'item1.EMAIL;TYPE=work:ada@example.org',
  'TEL;VALUE=uri;TYPE="cell,voice":tel:+44-20-1',
  'ADR;TYPE=home:;;Hafenweg 3;Kiel;;24103;Germany',
  'NOTE:Likes\\nnumbers',
  'PHOTO:data:image/jpeg;base64,AAAA',
  'END:VCARD',
  'BEGIN:VCARD',
  'VERSION:2.1',
  'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=F6rg',
  'TEL;HOME:030 1',
  'NOTE;ENCODING=QUOTED-PRINTABLE:one =',
  'two=0Athree',
  'PHOTO;ENCODING=BASE64;JPEG:',
  ' AAAA',
  'END:VCARD',
  '',
].join('\r\n');
