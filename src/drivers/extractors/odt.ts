import type { Extractor } from '../../contracts/extractor.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { joinParts } from './join-parts.ts';
import { openDocument } from './office/open-document.ts';
import { createXmlReader } from './office/xml.ts';
import { TextReader } from './opendocument/text-reader.ts';

/** Letters of OpenDocument: headings, lists and tables as Markdown; notes and comments follow the text. */
export function createOdtExtractor(bounds = defaultBounds): Extractor {
  return bounded('ODT', bounds, async ({ bytes }, deadline) => {
    const readXml = await createXmlReader(deadline);
    const document = await openDocument(bytes, { format: 'ODT', extension: '.odt', bounds, readXml });
    if ('kind' in document) return document;
    const reader = new TextReader(bounds.outputCharacters);
    const isRead = (await readXml(document.content, reader)) && document.isWhole;
    const { text, marks } = joinParts(reader.blocks.blocks, '\n\n');
    const title = document.title || reader.blocks.title;
    return {
      kind: 'text',
      text,
      chunker: 'markdown',
      places: { kind: 'paragraphs', marks },
      ...(title && { title: beginningOf(title, 300) }),
      ...degradation(!isRead && 'not read to the end: too much text'),
    };
  });
}

export default createOdtExtractor;
