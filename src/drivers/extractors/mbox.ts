import type { Extractor } from '../../contracts/extractor.ts';
import { machineFailure } from '../../core/machine-failure.ts';
import { bounded, defaultBounds, degradation } from './bounds.ts';
import { messageText } from './message-text.ts';

/** A mailbox in one file: its messages as text with a form feed between them. */
export function createMboxExtractor(bounds = defaultBounds): Extractor {
  return bounded('mbox', bounds, async ({ bytes }, deadline) => {
    const texts: string[] = [];
    let broken = 0;
    let length = 0;
    let unread = 0;
    for (const raw of rawMessages(bytes)) {
      if (deadline.passed() || length > bounds.outputCharacters) {
        unread += 1;
        continue;
      }
      const message = await messageText(raw, deadline, bounds.outputCharacters).catch((thrown: unknown) => {
        const failure = machineFailure(thrown);
        if (failure) throw failure;
      });
      if (message) texts.push(message.text);
      else broken += 1;
      length += message?.text.length ?? 0;
    }
    if (texts.length === 0)
      return { kind: 'skip', reason: 'unsupported', rule: 'broken mbox: no message in it' };
    return {
      kind: 'text',
      text: texts.join('\n\f\n'),
      chunker: 'email',
      metadata: { messages: texts.length },
      ...degradation(
        broken > 0 && `${broken} messages cannot be read`,
        unread > 0 && `${unread} messages left unread: too much text`,
      ),
    };
  });
}

export default createMboxExtractor;

/** The messages between lines like `From ann@example.org Sat Jan  3 01:05:34 2026`. */
function* rawMessages(bytes: Uint8Array): Generator<Uint8Array> {
  // One byte is one character here, so offsets in the string are offsets in the file.
  const characters = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  let start: number | undefined;
  for (const match of characters.matchAll(
    /^From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,60}:)/gm,
  )) {
    if (start !== undefined) yield message(characters, start, match.index);
    start = match.index + match[0].length;
  }
  if (start === undefined) yield bytes;
  else yield message(characters, start, characters.length);
}

/** A line `From ` inside a message was written as `>From `, so that it does not look like the start of the next one. */
function message(characters: string, start: number, end: number): Uint8Array {
  return Buffer.from(characters.slice(start, end).replace(/^>(>*From )/gm, '$1'), 'latin1');
}
