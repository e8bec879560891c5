import type { Extractor } from '../../contracts/extractor.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { bounded, defaultBounds, degradation, partOfTime } from './bounds.ts';
import { joinParts } from './join-parts.ts';
import { compoundFileSkip, unreadable } from './office/parts.ts';
import { plainText } from './plain-text.ts';
import { readRtf } from './rtf/read-rtf.ts';

/** Rich text: headings, lists and tables as Markdown, in the encodings of its fonts; notes and comments follow. */
export function createRtfExtractor(bounds = defaultBounds): Extractor {
  return bounded('RTF', bounds, async (file) => {
    const other = compoundFileSkip(file.bytes, 'RTF', 'Word 97-2003', '.docx');
    if (other) return other;
    const start = Buffer.from(file.bytes.subarray(0, 100)).toString('latin1');
    if (start.startsWith('PK'))
      return unreadable('a packed file under the name of RTF: name it .docx or .odt');
    if (!start.trimStart().startsWith('{\\rtf')) return plainText(file, 'prose');
    const { blocks, title, unread } = readRtf(file.bytes, partOfTime(bounds, 0.8), bounds.outputCharacters);
    const { text, marks } = joinParts(blocks.blocks, '\n\n');
    // Otherwise it would pass for an empty file.
    if (unread && text.trim() === '')
      return unreadable(`RTF without text where it begins, and ${unread} to be read to its end`);
    const named = title || blocks.title;
    return {
      kind: 'text',
      text,
      chunker: 'markdown',
      places: { kind: 'paragraphs', marks },
      ...(named && { title: beginningOf(named, 300) }),
      ...degradation(unread && `not read to the end: ${unread}`),
    };
  });
}

export default createRtfExtractor;
