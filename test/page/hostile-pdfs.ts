import { deflateSync } from 'node:zlib';

/** An object of a PDF: its dictionary, and a stream where it has one. */
interface PdfObject {
  readonly entries: string;
  readonly stream?: Uint8Array;
}

const text = (content: string): Uint8Array => Buffer.from(content, 'latin1');

/** A PDF of one page with a line of text, and what is drawn below it; further objects begin with the seventh. */
function pdfWith(line: string, drawn: string, resources: string, objects: readonly PdfObject[]): Buffer {
  const content = `BT /F1 18 Tf 60 760 Td (${line}) Tj ET ${drawn}`;
  const all: readonly PdfObject[] = [
    { entries: '/Type /Catalog /Pages 2 0 R' },
    { entries: '/Type /Pages /Kids [3 0 R] /Count 1' },
    {
      entries: `/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${resources} >>`,
    },
    { entries: '', stream: text(content) },
    { entries: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica' },
    ...objects,
  ];
  const parts = all.map(({ entries, stream }, at) =>
    Buffer.concat([
      text(`${at + 1} 0 obj\n<< ${entries} ${stream ? `/Length ${stream.length} ` : ''}>>\n`),
      ...(stream ? [text('stream\n'), stream, text('\nendstream\n')] : []),
      text('endobj\n'),
    ]),
  );
  return Buffer.concat([
    text('%PDF-1.7\n'),
    ...parts,
    text(`trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\n%%EOF\n`),
  ]);
}

/** A PDF with one picture. */
function pictureOf(line: string, width: number, height: number, entries: string, stream: Uint8Array): Buffer {
  return pdfWith(line, 'q 400 0 0 300 60 300 cm /I Do Q', '/XObject << /I 6 0 R >>', [
    { entries: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries}`, stream },
  ]);
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

/** A JPEG 2000 code stream that says it has so many pixels, with the tiles of one much smaller. */
function hugeJpeg2000(sample: Buffer, side: number): Buffer {
  const bytes = Buffer.from(sample);
  const size = bytes.indexOf(Buffer.from([0xff, 0x51]));
  for (const at of [6, 10, 22, 26]) bytes.writeUInt32BE(side, size + at);
  return bytes;
}

/** A JBIG2 page of so many pixels with one generic region that covers it. */
function hugeJbig2(side: number): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([uint32(number), Buffer.from([type, 0, 1]), uint32(data.length), data]);
  const page = Buffer.concat([uint32(side, side, 0, 0), Buffer.from([0, 0, 0])]);
  const region = Buffer.concat([
    uint32(side, side, 0, 0),
    Buffer.from([0, 0, 3, 255, 253, 255, 2, 254, 254, 254]),
    Buffer.alloc(60),
  ]);
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)]);
}

/** Forms that each draw the next one ten times. */
function nestedForms(depth: number): readonly PdfObject[] {
  return Array.from({ length: depth }, (_, at) => {
    const isLast = at === depth - 1;
    return {
      entries: `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${isLast ? '' : `/Resources << /XObject << /I ${7 + at} 0 R >> >>`}`,
      stream: text((isLast ? '0 0 500 500 re f ' : '/I Do ').repeat(10)),
    };
  });
}

const gray = '/ColorSpace /DeviceGray /BitsPerComponent 8';
const bits = '/ColorSpace /DeviceGray /BitsPerComponent 1';
const zeros = (megabytes: number): Buffer => deflateSync(Buffer.alloc(megabytes * 1_000_000));

/** What the page shows of a PDF that wants more than it gets. */
export type Outcome = 'without the picture' | 'as text' | 'as it is';

/** PDFs that are small and want much, each with a line of text, and what is shown of them. */
export function hostilePdfs(jpeg2000: Buffer): Readonly<Record<string, readonly [Buffer, Outcome]>> {
  const picture = (entries: string, stream: Uint8Array, side = 400): Buffer =>
    pictureOf('Hostile', side, side, entries, stream);
  const fax = (columns: number, rows: number): string =>
    `${bits} /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns ${columns} /Rows ${rows} >>`;
  const formOf = (content: string): readonly PdfObject[] => [
    {
      entries: '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /I 6 0 R >> >>',
      stream: text(content),
    },
  ];
  const forms = (objects: readonly PdfObject[]): Buffer =>
    pdfWith('Hostile', '/I Do', '/XObject << /I 6 0 R >>', objects);
  return {
    huge: [picture(`${gray} /Filter /FlateDecode`, zeros(1), 60_000), 'without the picture'],
    cut: [picture(`${gray} /Filter /FlateDecode`, zeros(1).subarray(0, 40), 4000), 'as it is'],
    fax: [picture(fax(60_000, 2_000_000), Buffer.alloc(128_000, 0xff), 6000), 'without the picture'],
    'fax-cut': [picture(fax(6000, 6000), Buffer.from([0x26, 0xa1]), 6000), 'as it is'],
    jpx: [picture('/Filter /JPXDecode', hugeJpeg2000(jpeg2000, 60_000)), 'without the picture'],
    'jpx-large': [picture('/Filter /JPXDecode', hugeJpeg2000(jpeg2000, 20_000)), 'without the picture'],
    'jpx-cut': [
      picture('/Filter /JPXDecode', jpeg2000.subarray(0, jpeg2000.length >> 1)),
      'without the picture',
    ],
    jbig: [picture(`${bits} /Filter /JBIG2Decode`, hugeJbig2(60_000)), 'without the picture'],
    'jbig-large': [picture(`${bits} /Filter /JBIG2Decode`, hugeJbig2(20_000)), 'as it is'],
    'jbig-cut': [picture(`${bits} /Filter /JBIG2Decode`, hugeJbig2(400).subarray(0, 30)), 'as it is'],
    loop: [forms(formOf('/I Do')), 'as it is'],
    forms: [forms(nestedForms(9)), 'as text'],
  };
}
