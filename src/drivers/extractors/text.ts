import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { archivedHeaders, headerMetadata } from './message-headers.ts';

/**
 * Text in any common encoding, as it was written; anything with binary content is skipped. A plain text that
 * begins with the headers of an e-mail is cut as one.
 */
export function createTextExtractor(bounds = defaultBounds): Extractor {
  return bounded('text', bounds, async ({ bytes, mediaType }) => {
    const decoded = await decodeText(bytes);
    if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
    const { text } = decoded;
    const headers = mediaType === 'text/plain' ? archivedHeaders(text) : undefined;
    return {
      kind: 'text',
      text,
      ...(headers && { chunker: 'email', metadata: headerMetadata(headers) }),
      // A patch of git looks like a mailbox, but is kept for its change.
      ...(headers && !isPatch(text) && { type: 'email' }),
      ...(headers?.subject && { title: headers.subject }),
      ...degradation(guessedEncoding(decoded)),
    };
  });
}

export default createTextExtractor;

function isPatch(text: string): boolean {
  return /^From [0-9a-f]{40,64} Mon Sep 17 00:00:00 2001\r?\n/.test(text);
}
