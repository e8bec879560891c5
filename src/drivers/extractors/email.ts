import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { headerMetadata } from './message-headers.ts';
import { datedPart, messagePoint, messageText } from './message-text.ts';

/** One e-mail: headers and body as text, attachments by name only. */
export function createEmailExtractor(bounds = defaultBounds): Extractor {
  return bounded('e-mail', bounds, async ({ bytes }, deadline) => {
    const message = await messageText(bytes, deadline, bounds.outputCharacters);
    if (!message) return { kind: 'skip', reason: 'unsupported', rule: 'broken e-mail: no headers' };
    const { headers, text, attachments, degraded } = message;
    return {
      kind: 'text',
      text,
      chunker: 'email',
      type: 'email',
      places: { kind: 'messages', marks: [{ start: 0, at: messagePoint(1, message) }] },
      messages: [datedPart(0, message)],
      metadata: { ...headerMetadata(headers), ...(attachments.length > 0 && { attachments }) },
      ...(headers.subject && { title: headers.subject }),
      ...degradation(degraded),
    };
  });
}

export default createEmailExtractor;
