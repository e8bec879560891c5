import type { Extraction } from '../../../contracts/extractor.ts';
import { importOptional } from '../../../platform/import-optional.ts';
import { type Bounds, type Deadline, degradation } from '../bounds.ts';
import { joinParts } from '../join-parts.ts';
import { pageText } from './page-text.ts';

/** Reads a PDF; the memory of `bytes` is transferred. Throws when the file cannot be read. */
export async function readPdf(bytes: Uint8Array, deadline: Deadline, bounds: Bounds): Promise<Extraction> {
  const task = await load(bytes);
  try {
    return await read(await task.promise, deadline, bounds);
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.name === 'PasswordException')) throw thrown;
    return { kind: 'skip', reason: 'unsupported', rule: 'encrypted PDF' };
  } finally {
    await task.destroy();
  }
}

type PdfTask = ReturnType<typeof import('unpdf/pdfjs')['getDocument']>;
type PdfDocument = Awaited<PdfTask['promise']>;

/** Opens the file so that nothing is fetched, drawn or printed. */
async function load(bytes: Uint8Array): Promise<PdfTask> {
  const pdf = await importOptional('unpdf', 'Reading PDF', () => import('unpdf/pdfjs'));
  return pdf.getDocument({
    data: bytes,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    useWasm: false,
    isImageDecoderSupported: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: 0,
    enableXfa: false,
    verbosity: 0,
  });
}

async function read(document: PdfDocument, deadline: Deadline, bounds: Bounds): Promise<Extraction> {
  const pages: string[] = [];
  const broken: number[] = [];
  let length = 0;
  while (pages.length < document.numPages && !deadline.passed() && length <= bounds.outputCharacters) {
    const text = await readPage(document, pages.length + 1);
    if (text === undefined) broken.push(pages.length + 1);
    pages.push(text ?? '');
    length += text?.length ?? 0;
  }
  const empty = pages.filter((text) => text === '').length;
  if (empty === pages.length) {
    const rule = broken.length > 0 ? 'broken PDF: no page can be read' : 'scanned PDF: no text layer';
    return { kind: 'skip', reason: 'unsupported', rule };
  }
  const title = await titleOf(document);
  const scanned = empty - broken.length;
  const { text, marks } = joinParts(
    pages.map((page, index) => ({ text: page, at: index + 1 })),
    '\n\f\n',
  );
  return {
    kind: 'text',
    text,
    places: { kind: 'pages', marks },
    chunker: 'pages',
    metadata: { pages: document.numPages },
    ...(title && { title }),
    ...degradation(
      broken.length > 0 && `${broken.length} of ${document.numPages} pages cannot be read`,
      scanned > 0 && `${scanned} of ${document.numPages} pages have no text layer`,
      pages.length < document.numPages && `stopped after page ${pages.length} of ${document.numPages}`,
    ),
  };
}

/** The text of a page counted from 1; undefined where the page is damaged. */
async function readPage(document: PdfDocument, number: number): Promise<string | undefined> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return pageText(items.flatMap((item) => ('str' in item ? [item] : [])));
  } catch {
    // It is counted, and the degradation says how many there are.
    return undefined;
  }
}

/** The title in the file's properties, unless it is the name of the file that the PDF was made from. */
async function titleOf(document: PdfDocument): Promise<string | undefined> {
  try {
    const { info } = await document.getMetadata();
    const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
    const fileName = /\.(docx?|odt|tex|dvi|indd|pptx?|xlsx?|html?|txt|rtf|pdf)$|^untitled|^microsoft word/i;
    return title === '' || fileName.test(title) ? undefined : title.slice(0, 300);
  } catch {
    // Damaged properties lose the title, not the document.
    return undefined;
  }
}
