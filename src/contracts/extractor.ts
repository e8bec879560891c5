import type { Metadata } from '../core/document.ts';
import type { SkipReason } from '../core/events.ts';
import type { PlaceMarks } from '../core/place.ts';
import type { WordBox } from '../core/word-box.ts';
import type { FileRecogniser } from './recogniser.ts';

/** A file's bytes with what is known before reading. */
export interface RawFile {
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** What another file says that is needed to read this one: the names of the people in an export of Slack. */
  readonly beside?: string | undefined;
}

/** What an extractor makes of a file: its text, or why there is none. */
export type Extraction =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The document's own title, where it has one. */
      readonly title?: string;
      /** The chunker that suits this text, where the extractor knows better than the file name. */
      readonly chunker?: string;
      readonly metadata?: Metadata;
      /** What kind of knowledge the content shows to be, where the file name does not say: `email`. */
      readonly type?: string;
      /** Where the text comes from; absent where its lines are those of the file. */
      readonly places?: PlaceMarks;
      /** Parts of the text that were written at their own time, in order; absent where the file's time is the text's. */
      readonly messages?: readonly DatedPart[];
      /** Words that were read from pictures, in the order of the text. */
      readonly words?: readonly WordBox[];
      /** Pages that are pictures, whose text nobody has read. */
      readonly unreadPages?: number;
      /** What was lost while extracting, for a person. */
      readonly degraded?: string;
    }
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly rule: string };

/** A part of a text, from its start to the next one. */
export interface DatedPart {
  readonly start: number;
  /** When it says that it was written, in milliseconds since 1970; absent where that cannot be understood. */
  readonly writtenAt?: number;
}

/** Turns the bytes of one kind of file into text. It never throws on bad content: it degrades or skips. */
export interface Extractor {
  /** `recogniser` reads the pictures in it; without one they are left out. */
  extract(file: RawFile, recogniser?: FileRecogniser): Promise<Extraction>;
}
