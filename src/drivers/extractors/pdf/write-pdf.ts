/** A picture on a page, as the dictionary of a PDF describes its bytes, and the rows of the page that it fills. */
export interface PagePicture {
  readonly entries: string;
  readonly stream: Uint8Array;
  readonly top: number;
  readonly rows: number;
}

/** A page that is made of pictures below each other, of its whole width. */
export interface PageOfPictures {
  readonly width: number;
  readonly height: number;
  /** Degrees by which it is turned to the right to be seen. */
  readonly turn: 0 | 90 | 180 | 270;
  readonly pictures: readonly PagePicture[];
}

/** A part of a PDF that is written as it stands. */
type PdfObject = string | { readonly entries: string; readonly stream: Uint8Array };

/** A PDF of one page that is filled by a picture, as the dictionary of the picture describes its bytes. */
export function pdfAround(entries: string, stream: Uint8Array, width: number, height: number): Uint8Array {
  return pdfOfPictures([{ width, height, turn: 0, pictures: [{ entries, stream, top: 0, rows: height }] }]);
}

/** A PDF of pages that are pictures; a pixel is a point. */
export function pdfOfPictures(pages: readonly PageOfPictures[]): Uint8Array {
  const objects: PdfObject[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids = pages.map(({ width, height, turn, pictures }) => {
    const number = objects.length + 1;
    const names = pictures.map((_, index) => `/I${index} ${number + 2 + index} 0 R`).join(' ');
    const drawn = pictures.map(
      ({ top, rows }, index) => `q ${width} 0 0 ${rows} 0 ${height - top - rows} cm /I${index} Do Q`,
    );
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${turn} /Contents ${number + 1} 0 R /Resources << /XObject << ${names} >> >> >>`,
      { entries: '', stream: Buffer.from(drawn.join('\n')) },
      ...pictures.map(({ entries, stream, rows }) => ({
        entries: `/Type /XObject /Subtype /Image /Width ${width} /Height ${rows} ${entries}`,
        stream,
      })),
    );
    return `${number} 0 R`;
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`;
  return written(objects);
}

function written(objects: readonly PdfObject[]): Uint8Array {
  const parts: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const add = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add('%PDF-1.7\n');
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
