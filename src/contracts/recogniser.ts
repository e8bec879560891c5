import type { Picture, RecognisedText } from '../core/picture.ts';

/** Reads the text of the pictures in a file, or knows it from an earlier time. */
export interface FileRecogniser {
  /** Time for all pictures of a file; those that are left then stay unread. */
  readonly milliseconds: number;
  /** The text of a page, counted from 1; it is decoded only where its text is not known, and may be empty. `total` says how many there are. */
  readPage(page: number, total: number, decode: () => Promise<Picture | undefined>): Promise<RecognisedText>;
}
