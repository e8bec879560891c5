import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, degradation, sizeOf } from './bounds.ts';
import { chatExtraction } from './chats/chat-text.ts';
import { exportedChat } from './chats/recognise.ts';
import { isWhatsApp, readWhatsApp } from './chats/whatsapp.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { archivedHeaders, headerMetadata } from './message-headers.ts';

/** Bytes of a `conversations.json` that is none. */
const maxOfOthers = 2 * 2 ** 20;

/**
 * Text in any common encoding, as it was written; anything with binary content is skipped. A plain text that
 * begins with the headers of an e-mail is cut as one, and exports of chats are read as what they are.
 */
export function createTextExtractor(bounds = defaultBounds): Extractor {
  return bounded('text', bounds, async (file, deadline) => {
    const { bytes, mediaType } = file;
    const chat = mediaType.endsWith('json') ? exportedChat(file, deadline) : undefined;
    if (chat) return chat;
    // Only an export may be so large.
    if (mediaType === 'application/x-conversations+json' && bytes.length > maxOfOthers)
      return { kind: 'skip', reason: 'too-large', rule: `JSON larger than ${sizeOf(maxOfOthers)}` };
    const decoded = await decodeText(bytes);
    if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
    const { text } = decoded;
    if (mediaType === 'text/plain' && isWhatsApp(text)) return chatExtraction(readWhatsApp(text));
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
