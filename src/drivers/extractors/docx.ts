import type { Extractor } from '../../contracts/extractor.ts';
import { type Bounds, bounded, type Deadline, defaultBounds, degradation } from './bounds.ts';
import { DocumentWriter, type ParagraphStyles } from './docx/document-writer.ts';
import { headingStyles, orderedLists } from './docx/styles.ts';
import { createXmlReader, type XmlReader } from './docx/xml.ts';
import { openZip, type ZipArchive } from './docx/zip.ts';
import { joinParts } from './join-parts.ts';

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
    if (isCompoundFile(bytes)) {
      return { kind: 'skip', reason: 'unsupported', rule: 'encrypted DOCX or a file of Word 97-2003' };
    }
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
    const xml = name === 'word/document.xml' ? decode(archive.read(name)) : part(name);
    writer.beginPart(partNames[name] ?? '');
    if (xml !== undefined && complete) complete = await readXml(xml, writer);
  }
  const title = (await statedTitle(part('docProps/core.xml'), readXml)) || writer.title;
  const { text, marks } = joinParts(writer.blocks, '\n\n');
  return {
    kind: 'text' as const,
    text,
    places: { kind: 'paragraphs' as const, marks },
    chunker: 'markdown',
    ...(title && { title: title.slice(0, 300) }),
    ...degradation(!complete && 'not read to the end: too much text'),
  };
}

/** An optional part: damage there loses headings or lists, not the document. */
function optionalPart(archive: ZipArchive, name: string): string | undefined {
  try {
    return decode(archive.read(name));
  } catch {
    // The document is read without it.
    return undefined;
  }
}

function decode(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return undefined;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(wide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}

async function statedTitle(xml: string | undefined, readXml: XmlReader): Promise<string> {
  let title = '';
  let inside = false;
  if (xml !== undefined) {
    await readXml(xml, {
      open: (name) => {
        inside = name === 'dc:title';
      },
      text: (text) => {
        if (inside) title += text;
      },
      close: () => {
        inside = false;
      },
    });
  }
  return title.trim();
}

/** Word 97-2003 files and encrypted ones are compound files, not archives. */
function isCompoundFile(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);
}
