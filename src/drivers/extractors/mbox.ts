import type { Extractor } from '../../contracts/extractor.ts';
import { machineFailure } from '../../core/machine-failure.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { joinParts, type TextPart } from './join-parts.ts';
import { datedPart, type MessageText, messagePoint, messageText } from './message-text.ts';

/** A mailbox in one file: its messages as text with a form feed between them. */
export function createMboxExtractor(bounds = defaultBounds): Extractor {
  return bounded('mbox', bounds, async ({ bytes }, deadline) => {
    const parts: TextPart<MessageInBox>[] = [];
    let number = 0;
    let broken = 0;
    let length = 0;
    let unread = 0;
    for (const { raw, delivered } of rawMessages(bytes)) {
      number += 1;
      if (deadline.passed() || length > bounds.outputCharacters) {
        unread += 1;
        continue;
      }
      const message = await messageText(raw, deadline, bounds.outputCharacters).catch((thrown: unknown) => {
        const failure = machineFailure(thrown);
        if (failure) throw failure;
      });
      if (message) parts.push({ text: message.text, at: { number, message, delivered } });
      else broken += 1;
      length += message?.text.length ?? 0;
    }
    if (parts.length === 0)
      return { kind: 'skip', reason: 'unsupported', rule: 'broken mbox: no message in it' };
    const { text, marks } = joinParts(parts, '\n\f\n');
    return {
      kind: 'text',
      text,
      chunker: 'email',
      type: 'email',
      places: {
        kind: 'messages',
        marks: marks.map(({ start, at }) => ({ start, at: messagePoint(at.number, at.message) })),
      },
      messages: marks.map(({ start, at }) => datedPart(start, at.message, at.delivered)),
      metadata: { messages: parts.length },
      ...degradation(
        broken > 0 && `${broken} messages cannot be read`,
        unread > 0 && `${unread} messages left unread: too much text`,
      ),
    };
  });
}

export default createMboxExtractor;

interface MessageInBox {
  readonly number: number;
  readonly message: MessageText;
  readonly delivered: string | undefined;
}

interface RawMessage {
  readonly raw: Uint8Array;
  /** When it came into the mailbox, as the line above it says. */
  readonly delivered?: string | undefined;
}

/** The messages between lines like `From ann@example.org Sat Jan  3 01:05:34 2026`. */
function* rawMessages(bytes: Uint8Array): Generator<RawMessage> {
  // One byte is one character here, so offsets in the string are offsets in the file.
  const characters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let open: { start: number; delivered: string | undefined } | undefined;
  for (const match of characters.matchAll(
    /^From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,60}:)/gm,
  )) {
    if (open) yield { raw: message(characters, open.start, match.index), delivered: open.delivered };
    const delivered = /^From \S+\s+(.*\d{4}.*)$/m.exec(match[0])?.[1];
    open = { start: match.index + match[0].length, delivered };
  }
  if (!open) yield { raw: bytes };
  else yield { raw: message(characters, open.start, characters.length), delivered: open.delivered };
}

/** A line `From ` inside a message was written as `>From `, so that it does not look like the start of the next one. */
function message(characters: string, start: number, end: number): Uint8Array {
  return Buffer.from(characters.slice(start, end).replace(/^>(>*From )/gm, '$1'), 'latin1');
}
