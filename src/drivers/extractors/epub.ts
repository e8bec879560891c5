import type { Extractor } from '../../contracts/extractor.ts';
import { type Bounds, bounded, type Deadline, defaultBounds, degradation } from './bounds.ts';
import { type BookParts, openBook } from './epub/book-parts.ts';
import { addChapter } from './epub/chapter.ts';
import { htmlToMarkdown } from './html/html-to-markdown.ts';
import { joinParts } from './join-parts.ts';
import { ParagraphBlocks } from './office/paragraph-blocks.ts';
import { decodeXml, unreadable } from './office/parts.ts';
import { createXmlReader } from './office/xml.ts';
import { openZip, type ZipArchive } from './office/zip.ts';

/** Books: their chapters in reading order as Markdown, under the names that the table of contents gives them. */
export function createEpubExtractor(bounds = defaultBounds): Extractor {
  return bounded('EPUB', bounds, async ({ bytes }, deadline) => {
    const archive = openZip(bytes, bounds.unpackedBytes);
    const book = await openBook(archive, await createXmlReader(deadline));
    if (typeof book === 'string') return unreadable(book);
    return read(archive, book, deadline, bounds);
  });
}

export default createEpubExtractor;

async function read(archive: ZipArchive, book: BookParts, deadline: Deadline, bounds: Bounds) {
  const blocks = new ParagraphBlocks();
  let unread = 0;
  let broken = 0;
  for (const { part, name } of book.chapters) {
    if (deadline.passed() || blocks.length > bounds.outputCharacters) {
      unread += 1;
      continue;
    }
    const html = chapterText(archive, part);
    if (html === undefined) broken += 1;
    else
      addChapter(
        blocks,
        (await htmlToMarkdown(html, deadline, bounds.outputCharacters, true)).markdown,
        name,
      );
  }
  const { text, marks } = joinParts(blocks.blocks, '\n\n');
  const { title, author, language } = book;
  return {
    kind: 'text' as const,
    text,
    chunker: 'markdown',
    type: 'book',
    places: { kind: 'paragraphs' as const, marks },
    metadata: { ...(author && { author }), ...(language && { book_language: language }) },
    title: title || blocks.title,
    ...degradation(
      broken > 0 && `${broken} of ${book.chapters.length} chapters cannot be read`,
      unread > 0 && `the last ${unread} of ${book.chapters.length} chapters left unread: too much text`,
    ),
  };
}

/** A chapter that is damaged, or too large for what is left, costs itself. */
function chapterText(archive: ZipArchive, part: string): string | undefined {
  try {
    return decodeXml(archive.read(part));
  } catch {
    // The others are read.
    return undefined;
  }
}
