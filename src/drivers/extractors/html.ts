import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { htmlToMarkdown } from './html/html-to-markdown.ts';

/** Web pages: the main content as Markdown, without scripts, styles, navigation and footers. */
export function createHtmlExtractor(bounds = defaultBounds): Extractor {
  return bounded('HTML', bounds, async ({ bytes }, deadline) => {
    const decoded = await decodeText(bytes, declaredEncoding(bytes));
    if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
    const page = await htmlToMarkdown(decoded.text, deadline, bounds.outputCharacters);
    return {
      kind: 'text',
      text: page.markdown,
      places: { kind: 'lines', marks: page.lines() },
      chunker: 'markdown',
      ...(page.title && { title: page.title }),
      ...degradation(guessedEncoding(decoded), page.degraded),
    };
  });
}

export default createHtmlExtractor;

/** What the page says of its own encoding within its first bytes, as browsers look for it. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{2,30})/i.exec(start)?.[1];
}
