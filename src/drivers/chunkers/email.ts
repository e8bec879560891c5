import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import type { Metadata } from '../../core/document.ts';
import type { TextRange } from './lines.ts';
import { proseCut, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/**
 * E-mail as text: one chunk for a message that fits, else between its paragraphs, each with subject, sender and
 * date as context. Messages are apart by a form feed or by the `From ` line of a mailbox.
 */
export function createEmailChunker(): Chunker {
  return {
    async chunk({ text }, limits: ChunkLimits) {
      const messages = messageRanges(text);
      const sections = messages.map((range, index) => messageSection(text, range, index, messages.length));
      const meter = createTokenMeter(text, limits);
      return { drafts: sectionDrafts(text, sections, limits, meter, proseCut(text, limits)) };
    },
  };
}

export default createEmailChunker;

/** Longest block of headers that is looked at, in characters. */
const longestHeaders = 16_384;

/** A form feed on its own line, or the line that begins a message in a mailbox. */
const boundary = /^\f\r?\n|^From [^\r\n]{0,200}\d{4}[^\r\n]{0,40}\r?\n(?=[!-9;-~]{1,60}:)/gm;

function messageRanges(text: string): TextRange[] {
  const starts = [0];
  for (const { index } of text.matchAll(boundary)) {
    const afterBlank = /\n\r?\n$/.test(text.slice(Math.max(0, index - 3), index));
    if (index > 0 && (text[index] === '\f' || afterBlank)) starts.push(index);
  }
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

function messageSection(text: string, range: TextRange, index: number, count: number): TextSection {
  const start = text.slice(range.start, Math.min(range.end, range.start + longestHeaders)).trimStart();
  const headers = /^[^\r\n]*(?:\r?\n[^\r\n]+)*/.exec(start)?.[0] ?? '';
  const values = ['Subject', 'From', 'Date'].map((name) => [name, fieldOf(headers, name)] as const);
  const known = values.filter(([, value]) => value !== '');
  const metadata: Metadata = Object.fromEntries(known.map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...range,
    name: fieldOf(headers, 'Subject'),
    header: known.map(([name, value]) => `${name}: ${value}`).join(' '),
    // A file with a single message carries its headers itself.
    ...(count > 1 && { metadata: { ...metadata, message: index + 1 } }),
  };
}

function fieldOf(headers: string, name: string): string {
  const field = new RegExp(`^(?:\\*\\*)?${name}(?:\\*\\*)?:(?:\\*\\*)?[ \\t]*([^\\r\\n]{1,300})`, 'im').exec(
    headers,
  );
  return field?.[1]?.trim() ?? '';
}
