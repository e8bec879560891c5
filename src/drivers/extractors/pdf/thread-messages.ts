import type { Extraction } from '../../../contracts/extractor.ts';
import type { Bounds } from '../bounds.ts';

/** One file for the thread that reads PDF. */
export interface PdfJob {
  readonly bytes: Uint8Array;
  readonly bounds: Bounds;
}

/** What the thread makes of it. */
export type PdfAnswer =
  | { readonly extraction: Extraction }
  | { readonly failure: string; readonly packageMissing: boolean };
