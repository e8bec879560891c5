import type { Extractor } from '../../contracts/extractor.ts';
import { type Bounds, bounded, type Deadline, defaultBounds } from './bounds.ts';
import {
  compoundFileSkip,
  decodeXml,
  elementText,
  localName,
  optionalPart,
  prefixed,
  relationsOf,
  unreadable,
} from './office/parts.ts';
import { maxSlides, type Slide, slideText } from './office/slide-text.ts';
import { createXmlReader, type XmlReader } from './office/xml.ts';
import { openZip, type ZipArchive } from './office/zip.ts';
import { SlideReader } from './pptx/slide-reader.ts';

const presentation = 'ppt/presentation.xml';

/** Presentations of PowerPoint: every slide with its tables, drawings of words and notes; hidden slides marked as such. */
export function createPptxExtractor(bounds = defaultBounds): Extractor {
  return bounded('PPTX', bounds, async ({ bytes }, deadline) => {
    const other = compoundFileSkip(bytes, 'PPTX', 'PowerPoint 97-2003', '.pptx');
    if (other) return other;
    const archive = openZip(bytes, bounds.unpackedBytes);
    if (!archive.has(presentation)) return unreadable('no presentation in the archive');
    return read(archive, deadline, bounds);
  });
}

export default createPptxExtractor;

async function read(archive: ZipArchive, deadline: Deadline, bounds: Bounds) {
  const readXml = await createXmlReader(deadline);
  const parts = await slideParts(archive, readXml);
  const slides: Slide[] = [];
  let length = 0;
  for (const part of parts) {
    if (deadline.passed() || length > bounds.outputCharacters || slides.length >= maxSlides) break;
    const reader = new SlideReader();
    const notes = new SlideReader();
    // A slide that is damaged keeps its number, so that the others keep theirs.
    await readXml(optionalPart(archive, part) ?? '', reader);
    for (const { kind, target } of (await relationsOf(archive, part, readXml)).values()) {
      const into = kind === 'notesSlide' ? notes : kind === 'diagramData' ? reader : undefined;
      const xml = into && optionalPart(archive, target);
      if (into && xml !== undefined) await readXml(xml, into);
    }
    length += reader.length + notes.length;
    slides.push({ title: reader.title, isHidden: reader.isHidden, lines: reader.lines, notes: notes.lines });
  }
  const title = await elementText(optionalPart(archive, 'docProps/core.xml'), 'dc:title', readXml);
  return slideText(slides, title, slides.length === parts.length);
}

/** The slides in the order in which they are shown. */
async function slideParts(archive: ZipArchive, readXml: XmlReader): Promise<string[]> {
  const relations = await relationsOf(archive, presentation, readXml);
  const parts: string[] = [];
  await readXml(decodeXml(archive.read(presentation)) ?? '', {
    open(name, attributes) {
      if (localName(name) !== 'sldId') return;
      const relation = relations.get(prefixed(attributes, 'id') ?? '');
      if (relation?.kind === 'slide') parts.push(relation.target);
    },
  });
  return parts;
}
