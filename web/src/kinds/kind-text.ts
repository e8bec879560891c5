/** A text as one of the kinds of files shows it. */
export interface KindText {
  readonly project: string;
  readonly path: string;
  readonly text: string;
  /** The number of its first line in the file; absent where lines have no numbers. */
  readonly firstLine: number | undefined;
  readonly lit: readonly [number, number] | undefined;
  readonly marks: RegExp | undefined;
  /** First and last page, where it is of a file with pages. */
  readonly pages?: readonly [number, number] | undefined;
  /** The sheet that its first row is of, where it is of a spreadsheet. */
  readonly sheet?: string | undefined;
  /** The kind cannot be shown, and why: the text is shown in its place. */
  readonly onFailure?: ((reason: string) => void) | undefined;
  /** What is said of it: its sentence is marked. */
  readonly words?: string | undefined;
}
