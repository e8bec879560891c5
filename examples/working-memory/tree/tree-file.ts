/** One file of the tree. */
export interface TreeFile {
  readonly path: string;
  readonly text: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A question for `quarry eval`, in the form of its question files. */
export interface LabelledQuestion {
  readonly id: string;
  readonly category: string;
  readonly text: string;
  readonly relevant: readonly (string | { readonly path: string; readonly grade: number })[];
}
