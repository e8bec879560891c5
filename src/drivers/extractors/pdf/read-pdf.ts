import type { Extraction } from '../../../contracts/extractor.ts';
import type { FileRecogniser } from '../../../contracts/recogniser.ts';
import { machineFailure } from '../../../core/failures/machine-failure.ts';
import { howToRead, unreadPagesNote } from '../../../core/skipped-paths.ts';
import { type Bounds, type Deadline, degradation } from '../bounds.ts';
import { maxPixels, UnreadablePicture } from '../picture/bounds.ts';
import { joinPages, type PageOfText } from '../picture/join-pages.ts';
import { drawPage } from './draw-page.ts';
import { openPdf } from './open-pdf.ts';
import { pageText } from './page-text.ts';
import type { PdfDocument } from './pdf-parser.ts';

/** How a PDF is read. */
interface PdfReading {
  /** When the text must be there; pictures have the time of their recogniser. */
  readonly deadline: Deadline;
  readonly bounds: Bounds;
  readonly recogniser: FileRecogniser | undefined;
}

/** Reads a PDF; the memory of `bytes` is transferred. Throws when the file cannot be read. */
export async function readPdf(bytes: Uint8Array, reading: PdfReading): Promise<Extraction> {
  const task = await openPdf(bytes, reading.recogniser ? maxPixels : 0);
  try {
    return await read(await task.promise, reading);
  } catch (thrown) {
    if (!(thrown instanceof Error && thrown.name === 'PasswordException')) throw thrown;
    return { kind: 'skip', reason: 'unsupported', rule: 'encrypted PDF' };
  } finally {
    await task.destroy();
  }
}

async function read(
  document: PdfDocument,
  { deadline, bounds, recogniser }: PdfReading,
): Promise<Extraction> {
  const pages: PageOfText[] = [];
  const broken: number[] = [];
  let length = 0;
  while (pages.length < document.numPages && !deadline.passed() && length <= bounds.outputCharacters) {
    const text = await readPage(document, pages.length + 1);
    if (text === undefined) broken.push(pages.length + 1);
    pages.push({ text: text ?? '' });
    length += text?.length ?? 0;
  }
  const isEmpty = ({ text }: PageOfText) => text === '';
  const scanned = pages.filter(isEmpty).length - broken.length;
  const left = recogniser
    ? await readPictures(document, pages, recogniser)
    : { unread: scanned, why: `${unreadPagesNote} (${howToRead})` };
  const total = document.numPages;
  const unread = left.unread > 0 && `${left.unread} of ${total} pages ${left.why}`;
  if (pages.length === 0) return skipped('PDF: no page was read in its time');
  if (pages.every(isEmpty)) {
    if (broken.length > 0) return skipped('broken PDF: no page can be read');
    if (!recogniser)
      return { kind: 'skip', reason: 'picture', rule: `scanned PDF: no text layer; ${howToRead}` };
    return unread ? skipped(`scanned PDF: ${unread}`) : emptyScan;
  }
  const title = await titleOf(document);
  const { text, words, marks } = joinPages(pages);
  return {
    kind: 'text',
    text,
    places: { kind: 'pages', marks },
    chunker: 'pages',
    metadata: { pages: total },
    ...(title && { title }),
    ...(words.length > 0 && { words }),
    ...(!recogniser && scanned > 0 && { unreadPages: scanned }),
    ...degradation(
      broken.length > 0 && `${broken.length} of ${total} pages cannot be read`,
      unread,
      pages.length < total && `stopped after page ${pages.length} of ${total}`,
    ),
  };
}

const emptyScan: Extraction = {
  kind: 'skip',
  reason: 'empty',
  rule: 'scanned PDF: no text was found in its pictures',
};

function skipped(rule: string): Extraction {
  return { kind: 'skip', reason: 'unsupported', rule };
}

/** Reads the pages that have no text as pictures, in place, and says how many were left and why. */
async function readPictures(
  document: PdfDocument,
  pages: PageOfText[],
  recogniser: FileRecogniser,
): Promise<{ readonly unread: number; readonly why: string }> {
  const end = performance.now() + recogniser.milliseconds;
  let unread = 0;
  let why = '';
  for (const [index, { text }] of pages.entries()) {
    if (text !== '') continue;
    if (performance.now() > end) {
      unread += 1;
      why = 'are pictures for which its time was not enough';
      continue;
    }
    try {
      const draw = async () => {
        try {
          return await drawPage(await document.getPage(index + 1));
        } catch (thrown) {
          if (thrown instanceof UnreadablePicture || machineFailure(thrown)) throw thrown;
          // One damaged page does not cost the text of the others.
          throw new UnreadablePicture('the page is damaged');
        }
      };
      pages[index] = await recogniser.readPage(index + 1, pages.length, draw);
    } catch (thrown) {
      if (!(thrown instanceof UnreadablePicture)) throw thrown;
      unread += 1;
      why = `are pictures that cannot be read: ${thrown.message}`;
    }
  }
  return { unread, why };
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
