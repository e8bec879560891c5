import type { Extraction, Extractor } from '../../contracts/extractor.ts';
import type { FileRecogniser } from '../../contracts/recogniser.ts';
import { howToRead } from '../../core/skipped-paths.ts';
import { bounded, type Deadline, defaultBounds, degradation } from './bounds.ts';
import { UnreadablePicture } from './picture/bounds.ts';
import { type PicturePages, pagesOf } from './picture/decode.ts';
import { joinPages, type PageOfText } from './picture/join-pages.ts';

/** PNG, JPEG, TIFF and WebP: the text that a recogniser reads in them, a form feed between the pages of a TIFF. */
export function createPictureExtractor(bounds = defaultBounds): Extractor {
  return bounded('picture', bounds, async ({ bytes }, deadline, recogniser): Promise<Extraction> => {
    const pages = openPages(bytes);
    if (typeof pages === 'string') return unreadableFile(pages);
    if (!recogniser) return { kind: 'skip', reason: 'picture', rule: `a picture; ${howToRead}` };
    return readPages(pages, recogniser, deadline);
  });
}

export default createPictureExtractor;

async function readPages(
  pages: PicturePages,
  recogniser: FileRecogniser,
  deadline: Deadline,
): Promise<Extraction> {
  const end = performance.now() + recogniser.milliseconds;
  const texts: PageOfText[] = [];
  const unreadable: string[] = [];
  for (const [index, decode] of pages.entries()) {
    if (index > 0 && (deadline.passed() || performance.now() > end)) break;
    try {
      texts.push(await recogniser.readPage(index + 1, pages.length, decode));
    } catch (thrown) {
      if (!(thrown instanceof UnreadablePicture)) throw thrown;
      unreadable.push(thrown.message);
      texts.push({ text: '', words: [] });
    }
  }
  if (unreadable.length === pages.length) return unreadableFile(unreadable[0] ?? '');
  if (texts.every(({ text }) => text === ''))
    return { kind: 'skip', reason: 'empty', rule: 'no text was found in the picture' };
  const { text, words, marks } = joinPages(texts);
  return {
    kind: 'text',
    text,
    words,
    type: 'image',
    ...(pages.length > 1
      ? { chunker: 'pages', places: { kind: 'pages' as const, marks }, metadata: { pages: pages.length } }
      : { chunker: 'prose' }),
    ...degradation(
      unreadable.length > 0 &&
        `${unreadable.length} of ${pages.length} pages cannot be read: ${unreadable[0]}`,
      texts.length < pages.length &&
        `stopped after page ${texts.length} of ${pages.length}: its time is over`,
    ),
  };
}

function openPages(bytes: Uint8Array): PicturePages | string {
  try {
    return pagesOf(bytes);
  } catch (thrown) {
    if (thrown instanceof UnreadablePicture) return thrown.message;
    throw thrown;
  }
}

function unreadableFile(why: string): Extraction {
  return { kind: 'skip', reason: 'unsupported', rule: `a picture that cannot be read: ${why}` };
}
