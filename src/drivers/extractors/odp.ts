import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds } from './bounds.ts';
import { openDocument } from './office/open-document.ts';
import { slideText } from './office/slide-text.ts';
import { createXmlReader } from './office/xml.ts';
import { PresentationReader } from './opendocument/presentation-reader.ts';

/** Presentations of OpenDocument: every slide with its tables and notes; hidden slides marked as such. */
export function createOdpExtractor(bounds = defaultBounds): Extractor {
  return bounded('ODP', bounds, async ({ bytes }, deadline) => {
    const readXml = await createXmlReader(deadline);
    const document = await openDocument(bytes, { format: 'ODP', extension: '.odp', bounds, readXml });
    if ('kind' in document) return document;
    const reader = new PresentationReader(bounds.outputCharacters);
    const isRead = await readXml(document.content, reader);
    return slideText(reader.slides, document.title, isRead && document.isWhole);
  });
}

export default createOdpExtractor;
