import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../test/property-draws.ts';
import type { Extractor } from '../../../contracts/extractor.ts';
import { createIcsExtractor } from '../ics.ts';
import { createOdpExtractor } from '../odp.ts';
import { createOdsExtractor } from '../ods.ts';
import { createOdtExtractor } from '../odt.ts';
import { createPptxExtractor } from '../pptx.ts';
import { createRtfExtractor } from '../rtf.ts';
import { extractFrom, textOf } from '../samples.fixture.ts';
import { createVcfExtractor } from '../vcf.ts';
import { createXlsxExtractor } from '../xlsx.ts';
import { openDocumentOf, pptxOf, xlsxOf } from './office-files.fixture.ts';

const elements = (names: string, more: readonly string[] = []) => [
  ...names.split(' ').flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...more,
];
const shared = [
  'text:p',
  'text:h',
  'text:list',
  'text:s',
  'table:table',
  'table:table-row',
  'table:table-cell',
].join(' ');
const repeated = [
  '<table:table-cell table:number-columns-repeated="99999999" office:value="1"/>',
  '<table:table-row table:number-rows-repeated="-1">',
  '<table:table-cell table:number-rows-spanned="1048576">',
];

/** Each format with what it is made of, and how a file of these pieces in any order is made. */
const formats: Readonly<
  Record<string, readonly [Extractor, readonly string[], (body: string) => Uint8Array | string]>
> = {
  XLSX: [
    createXlsxExtractor(),
    elements('row c v t f is rPh mergeCells', [
      '<c r="XFD1048576" t="s">',
      '<c r="A0" s="-1">',
      '<c s="1" t="d">',
      '<row r="1e9">',
      '<mergeCell ref="A1:XFD1048576"/>',
      '<mergeCell ref="B9:A1:C"/>',
    ]),
    (body) => xlsxOf([{ name: 'S', rows: body }], ['<t>x</t>']),
  ],
  ODS: [
    createOdsExtractor(),
    elements(`${shared} table:covered-table-cell office:annotation table:tracked-changes`, repeated),
    openDocumentOf,
  ],
  ODT: [
    createOdtExtractor(),
    elements(`${shared} text:note text:note-citation office:annotation office:body dc:creator`, [
      '<text:h text:outline-level="-9">',
    ]),
    openDocumentOf,
  ],
  ODP: [
    createOdpExtractor(),
    elements(`${shared} draw:page draw:frame presentation:notes`, [
      '<draw:frame presentation:class="title">',
    ]),
    openDocumentOf,
  ],
  PPTX: [
    createPptxExtractor(),
    elements('p:sp a:p a:t a:br a:tbl a:tr a:tc mc:Fallback', [
      '<p:ph type="title"/>',
      '<a:pPr lvl="-7"/>',
      '<a:pPr lvl="x"/>',
    ]),
    (body) => pptxOf([{ shapes: body, notes: body }]),
  ],
  RTF: [
    createRtfExtractor(),
    "{ } \\* \\par \\cell \\row \\intbl \\pard \\s1 \\outlinelevel99 \\u-1? \\u99999999 \\uc-5 \\f0 \\f9 \\fonttbl \\stylesheet \\info \\title \\footnote \\v \\plain \\listtext \\ilvl-3 \\bin2 \\ansicpg-1 \\fcharset128 \\'e9 \\'zz \\".split(
      ' ',
    ),
    (body) => `{\\rtf1 start ${body}`,
  ],
  iCalendar: [
    createIcsExtractor(),
    [
      'BEGIN:VEVENT\n',
      'END:VEVENT\n',
      'BEGIN:VALARM\n',
      'END:VALARM\n',
      'SUMMARY;X="a:b":c\\',
      '\n ',
      ';',
      'DTSTART:99999999T999999\n',
      'ATTENDEE;CN=;CN=x:mailto:\n',
    ],
    (body) => `BEGIN:VCALENDAR\n${body}`,
  ],
  vCard: [
    createVcfExtractor(),
    [
      'BEGIN:VCARD\n',
      'END:VCARD\n',
      'FN:',
      'N;ENCODING=QUOTED-PRINTABLE;CHARSET=nope:=4=GG=',
      '\n',
      'ADR:;;\\;\\',
      'ORG;TYPE=:x\n',
      'a.b.c:d\n',
    ],
    (body) => `BEGIN:VCARD\n${body}`,
  ],
};

test.each(Object.entries(formats))(
  '%s in any order, closed or not, gives text or a reason',
  async (_, [extractor, pieces, file]) => {
    const piece = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...pieces) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (chosen) => {
        const extraction = await extractFrom(extractor, file(chosen.join('')));
        expect(textOf(extraction)).not.toBe('');
        expect(extraction).not.toMatchObject({
          rule: expect.stringMatching(/is not a function|undefined|Cannot read|Invalid/),
        });
        if (extraction.kind !== 'text') return;
        const starts = extraction.places?.marks.map(({ start }) => start) ?? [];
        expect(starts).toEqual([...starts].sort((one, other) => one - other));
        expect(starts.every((start) => start <= extraction.text.length)).toBe(true);
      }),
      { numRuns: draws(200) },
    );
  },
);
