import { CarriedDecoders, type PdfTask, pdfParser } from './pdf-parser.ts';

/**
 * Opens a PDF so that nothing is fetched, drawn or printed; the memory of `bytes` is transferred. Pictures in it of more
 * than `maxImageSize` pixels are left out.
 */
export async function openPdf(bytes: Uint8Array, maxImageSize = 0): Promise<PdfTask> {
  const pdf = await pdfParser();
  return pdf.getDocument({
    data: bytes,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    BinaryDataFactory: CarriedDecoders,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize,
    enableXfa: false,
    verbosity: 0,
  });
}

/** A part of a PDF that is written as it stands. */
type PdfObject = string | { readonly entries: string; readonly stream: Uint8Array };

/** A PDF of one page that is filled by a picture, as the dictionary of the picture describes its bytes. */
export function pdfAround(entries: string, stream: Uint8Array, width: number, height: number): Uint8Array {
  const content = Buffer.from(`${width} 0 0 ${height} 0 0 cm /I Do`);
  const objects: PdfObject[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`,
    { entries: '', stream: content },
    { entries: `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries}`, stream },
  ];
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(`${index + 1} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`<< ${object.entries} /Length ${object.stream.length} >>\nstream\n`);
      add(object.stream);
      add('\nendstream');
    }
    add('\nendobj\n');
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`);
  return Buffer.concat(parts);
}
