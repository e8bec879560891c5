import type { Deadline } from '../bounds.ts';
import type { ParagraphBlocks } from '../office/paragraph-blocks.ts';
import { RtfReader } from './rtf-reader.ts';
import { rtfTokens } from './rtf-tokens.ts';

/** The text of RTF. */
export interface RtfText {
  readonly blocks: ParagraphBlocks;
  /** As the properties of the file say; empty where they do not. */
  readonly title: string;
  /** Why the rest was not read; undefined where all of it was. */
  readonly unread: 'nested too deep' | 'too much text' | 'too slow' | undefined;
}

/** Reads RTF up to the limits of time and size. */
export function readRtf(bytes: Uint8Array, deadline: Deadline, outputCharacters: number): RtfText {
  // One byte is one character here; which character it is depends on its font.
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const reader = new RtfReader();
  let unread: RtfText['unread'];
  for (const token of rtfTokens(rtf, deadline)) {
    if (!reader.take(token)) unread = 'nested too deep';
    else if (reader.blocks.length > outputCharacters) unread = 'too much text';
    if (unread) break;
  }
  reader.end();
  const title = reader.title.replace(/\s+/g, ' ').trim();
  if (!unread && deadline.passed()) unread = 'too slow';
  return { blocks: reader.blocks, title, unread };
}
