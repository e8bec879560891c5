import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Metadata } from '../../core/document.ts';
import { type ArchivedMessage, archivedMessages } from '../../core/documents/mail.ts';
import type { TextRange } from './lines.ts';
import { proseCut, type SectionCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/**
 * E-mail as text: one chunk for a message that may be kept whole, else between its paragraphs, each with subject, sender
 * and date as context. Messages are apart by a form feed or by the `From ` line of a mailbox.
 */
export function createEmailChunker(): Chunker {
  return {
    async chunk({ text }, limits: ChunkLimits) {
      const messages = archivedMessages(text);
      const sections = messages.map((message, index) => messageSection(message, index, messages.length));
      const meter = createTokenMeter(text, limits);
      const whole = { ...limits, maxTokens: Math.max(limits.maxTokens, limits.messageTokens ?? 0) };
      const cut = proseCut(text, limits);
      const fits = ({ start, end }: TextRange): boolean => meter.tokens(start, end) <= whole.maxTokens;
      const withBody: SectionCut = (section) => withoutBareHeaders(text, cut(section), fits);
      return { drafts: sectionDrafts(text, sections, whole, meter, withBody) };
    },
  };
}

export default createEmailChunker;

/** The headers of a long message stay with the beginning of what it says: alone they hold the words of a query and nothing else. */
function withoutBareHeaders(
  text: string,
  parts: readonly TextRange[],
  fits: (range: TextRange) => boolean,
): readonly TextRange[] {
  const [first, second, ...others] = parts;
  if (!first || !second || !bareHeaders.test(text.slice(first.start, first.end))) return parts;
  const both = { start: first.start, end: second.end };
  return fits(both) ? [both, ...others] : parts;
}

/** Lines of which each is a field of a message or continues one, and no other. */
const bareHeaders =
  /^(?:\s*From [^\n]*\n)?\s*(?:(?:\*\*)?[!-)+-9;-~]{1,60}:[^\n]*(?:\n|$)(?:[ \t]+[^\n]*(?:\n|$))*)+$/;

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
