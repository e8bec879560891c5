/** A line of text with the place of each of its characters. */
export interface LineText {
  readonly text: string;
  /** For each UTF-16 unit of the text the middle of its character, as a share of the line's width. */
  readonly middles: readonly number[];
  /** Mean likelihood of its characters. */
  readonly certainty: number;
}
