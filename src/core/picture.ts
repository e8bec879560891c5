import type { WordBox } from './word-box.ts';

/** A picture in memory: red, green and blue of each pixel, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly pixels: Uint8Array;
}

/** The text of a picture; lines end with a line feed, paragraphs with an empty line. */
export interface RecognisedText {
  readonly text: string;
  /** In the order of the text; their page is 1. */
  readonly words: readonly WordBox[];
}

/** Reads the text of a picture. */
export type Recognise = (picture: Picture) => Promise<RecognisedText>;
