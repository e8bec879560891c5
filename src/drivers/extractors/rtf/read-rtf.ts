import type { Deadline } from '../bounds.ts';
import type { ParagraphBlocks } from '../office/paragraph-blocks.ts';
import { RtfReader } from './rtf-reader.ts';
import { rtfTokens } from './rtf-tokens.ts';

/** The text of RTF. */
export interface RtfText {
  readonly blocks: ParagraphBlocks;
  /** As the properties of the file say; empty where they do not. */
  readonly title: string;
  readonly isWhole: boolean;
}

/** Reads RTF up to the limits of time and size. */
export function readRtf(bytes: Uint8Array, deadline: Deadline, outputCharacters: number): RtfText {
  // One byte is one character here; which character it is depends on its font.
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const reader = new RtfReader();
  let isWhole = true;
  for (const token of rtfTokens(rtf, deadline)) {
    isWhole = reader.take(token) && reader.blocks.length <= outputCharacters;
    if (!isWhole) break;
  }
  reader.end();
  const title = reader.title.replace(/\s+/g, ' ').trim();
  return { blocks: reader.blocks, title, isWhole: isWhole && !deadline.passed() };
}
