import type { Metadata } from '../core/document.ts';
import type { SkipReason } from '../core/events.ts';

/** A file's bytes with what is known before reading. */
export interface RawFile {
  readonly uri: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
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
      /** What was lost while extracting, for a person. */
      readonly degraded?: string;
    }
  | { readonly kind: 'skip'; readonly reason: SkipReason; readonly rule: string };

/** Turns the bytes of one kind of file into text. It never throws on bad content: it degrades or skips. */
export interface Extractor {
  extract(file: RawFile): Promise<Extraction>;
}
