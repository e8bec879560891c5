import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Metadata } from '../../core/document.ts';
import { type ArchivedMessage, archivedMessages } from '../../core/mail.ts';
import { proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/**
 * E-mail as text: one chunk for a message that fits, else between its paragraphs, each with subject, sender and
 * date as context. Messages are apart by a form feed or by the `From ` line of a mailbox.
 */
export function createEmailChunker(): Chunker {
  return {
    async chunk({ text }, limits: ChunkLimits) {
      const messages = archivedMessages(text);
      const sections = messages.map((message, index) => messageSection(message, index, messages.length));
      const meter = createTokenMeter(text, limits);
      return { drafts: sectionDrafts(text, sections, limits, meter, proseCut(text, limits)) };
    },
  };
}

export default createEmailChunker;

function messageSection(message: ArchivedMessage, index: number, count: number): TextSection {
  const { start, end, subject, from, date } = message;
  const known = Object.entries({ Subject: subject, From: from, Date: date }).filter(
    ([, value]) => value !== '',
  );
  const metadata: Metadata = Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), value]));
  return {
    start,
    end,
    name: subject,
    header: known.map(([name, value]) => `${name}: ${value}`).join(' '),
    // A file with a single message carries its headers itself.
    ...(count > 1 && { metadata: { ...metadata, message: index + 1 } }),
  };
}
