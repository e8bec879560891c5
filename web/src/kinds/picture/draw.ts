import type { WordOnPage } from './words.ts';

/** A page as a picture, with the words on it where the file itself knows them. */
export interface DrawnPage {
  readonly bitmap: ImageBitmap;
  readonly words: readonly WordOnPage[];
  /** How many pages the file has. */
  readonly pages: number;
  /** Whether a picture on it is left out. */
  readonly isPart: boolean;
}

/** What the worker is asked to draw, no wider than so many pixels. */
export interface DrawRequest {
  readonly base64: string;
  readonly type: string;
  readonly page: number;
  readonly width: number;
}

/** What it answers. */
export type DrawAnswer = DrawnPage | { readonly failure: string };
