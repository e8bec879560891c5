import type { Extractor } from '../../contracts/extractor.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { type Bounds, bounded, type Deadline, defaultBounds, degradation } from './bounds.ts';
import { DocumentWriter, type ParagraphStyles } from './docx/document-writer.ts';
import { headingStyles, orderedLists } from './docx/styles.ts';
import { joinParts } from './join-parts.ts';
import { compoundFileSkip, decodeXml, elementText, optionalPart } from './office/parts.ts';
import { createXmlReader } from './office/xml.ts';
import { openZip, type ZipArchive } from './office/zip.ts';

/** Parts of a Word file that hold text, in the order in which they come out. */
const textParts = ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml', 'word/comments.xml'];

/** What stands in place of a heading above the notes and comments. */
const partNames: Readonly<Record<string, string>> = {
  'word/footnotes.xml': 'footnotes',
  'word/endnotes.xml': 'endnotes',
  'word/comments.xml': 'comments',
};

/** Word files: headings, lists and tables as Markdown; notes and comments follow the text. */
export function createDocxExtractor(bounds = defaultBounds): Extractor {
  return bounded('DOCX', bounds, async ({ bytes }, deadline) => {
    const other = compoundFileSkip(bytes, 'DOCX', 'Word 97-2003', '.docx');
    if (other) return other;
    const archive = openZip(bytes, bounds.unpackedBytes);
    if (!archive.has('word/document.xml')) {
      return { kind: 'skip', reason: 'unsupported', rule: 'no Word document in the archive' };
    }
    return read(archive, deadline, bounds);
  });
}

export default createDocxExtractor;

async function read(archive: ZipArchive, deadline: Deadline, bounds: Bounds) {
  const readXml = await createXmlReader(deadline);
  const part = (name: string): string | undefined => optionalPart(archive, name);
  const styles: ParagraphStyles = {
    headings: await headingStyles(part('word/styles.xml'), readXml),
    ordered: await orderedLists(part('word/numbering.xml'), readXml),
  };
  const writer = new DocumentWriter(styles);
  let complete = true;
  for (const name of textParts) {
    if (writer.length > bounds.outputCharacters) complete = false;
    const xml = name === 'word/document.xml' ? decodeXml(archive.read(name)) : part(name);
    writer.blocks.beginPart(partNames[name] ?? '');
    if (xml !== undefined && complete) complete = await readXml(xml, writer);
  }
  const title = (await elementText(part('docProps/core.xml'), 'dc:title', readXml)) || writer.blocks.title;
  const { text, marks } = joinParts(writer.blocks.blocks, '\n\n');
  return {
    kind: 'text' as const,
    text,
    places: { kind: 'paragraphs' as const, marks },
    chunker: 'markdown',
    ...(title && { title: beginningOf(title, 300) }),
    ...degradation(!complete && 'not read to the end: too much text'),
  };
}
