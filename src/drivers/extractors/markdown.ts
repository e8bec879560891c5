import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { noteFields } from './note-fields.ts';

/** Markdown with what it says of itself and links to as metadata; the text stays as it was written, so that lines and spans hold. */
export function createMarkdownExtractor(bounds = defaultBounds): Extractor {
  return bounded('Markdown', bounds, async ({ bytes }) => {
    const decoded = await decodeText(bytes);
    if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
    const { text } = decoded;
    const metadata = noteFields(text);
    const title = typeof metadata.title === 'string' ? metadata.title : firstHeading(text);
    return {
      kind: 'text',
      text,
      chunker: 'markdown',
      metadata,
      ...(title && { title }),
      ...degradation(guessedEncoding(decoded)),
    };
  });
}

export default createMarkdownExtractor;

/** The first heading of level 1; a line that starts with # inside a fence is a comment of some program. */
function firstHeading(text: string): string | undefined {
  let fence = '';
  for (const [line] of text.matchAll(/^.*$/gm)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1] ?? '';
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    const title = fence === '' && /^ {0,3}#[ \t]+(.*)$/.exec(line)?.[1];
    if (title)
      return (
        title
          .replace(/[ \t]+#+[ \t]*$/, '')
          .replace(/[`*]/g, '')
          .trim() || undefined
      );
  }
  return undefined;
}
