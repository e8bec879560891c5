import type { Extractor } from '../../contracts/extractor.ts';
import { machineFailure } from '../../core/failures/machine-failure.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { joinParts, type TextPart } from './join-parts.ts';
import { datedPart, type MessageText, messagePoint, messageText } from './message-text.ts';

const separator = '\n\f\n';

/** A mailbox in one file: its messages as text with a form feed between them. */
export function createMboxExtractor(bounds = defaultBounds): Extractor {
  return bounded('mbox', bounds, async ({ bytes }, deadline) => {
    const parts: TextPart<MessageInBox>[] = [];
    let broken = 0;
    let length = 0;
    const { characters, found } = messagesIn(bytes);
    let unread = found.length;
    // From the end: a mailbox grows there, and of one that is too long the newest messages are kept.
    for (const { start, end, delivered } of found.toReversed()) {
      if (deadline.passed()) break;
      const raw = rawMessage(characters, start, end);
      const message = await messageText(raw, deadline, bounds.outputCharacters).catch((thrown: unknown) => {
        const failure = machineFailure(thrown);
        if (failure) throw failure;
      });
      length += (message?.text.length ?? 0) + separator.length;
      if (length > bounds.outputCharacters && parts.length > 0) break;
      if (message) parts.push({ text: message.text, at: { number: unread, message, delivered } });
      else broken += 1;
      unread -= 1;
    }
    parts.reverse();
    if (parts.length === 0)
      return { kind: 'skip', reason: 'unsupported', rule: 'broken mbox: no message in it' };
    const { text, marks } = joinParts(parts, separator);
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
        unread > 0 && `the first ${unread} messages left unread: too much text`,
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

/** A message in a mailbox. */
interface FoundMessage {
  readonly start: number;
  readonly end: number;
  /** When it came into the mailbox, as the line above it says. */
  readonly delivered: string | undefined;
}

/** The messages between lines like `From ann@example.org Sat Jan  3 01:05:34 2026`. */
function messagesIn(bytes: Uint8Array): { characters: string; found: FoundMessage[] } {
  // One byte is one character here, so offsets in the string are offsets in the file.
  const characters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines = [...characters.matchAll(/^From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,60}:)/gm)];
  const found = lines.map((line, index) => ({
    start: line.index + line[0].length,
    end: lines[index + 1]?.index ?? characters.length,
    delivered: /^From \S+\s+(.*\d{4}.*)$/m.exec(line[0])?.[1],
  }));
  const whole = { start: 0, end: characters.length, delivered: undefined };
  return { characters, found: found.length > 0 ? found : [whole] };
}

/** A line `From ` inside a message was written as `>From `, so that it does not look like the start of the next one. */
function rawMessage(characters: string, start: number, end: number): Uint8Array {
  return Buffer.from(characters.slice(start, end).replace(/^>(>*From )/gm, '$1'), 'latin1');
}
