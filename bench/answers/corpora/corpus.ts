/** A question with what a right answer holds. */
export interface AskedQuestion {
  readonly ask: string;
  /** What the answer has to say. */
  readonly expect: RegExp;
  /** What only a wrong answer says. */
  readonly not?: RegExp;
  /** What the first sentence has to say, where sources disagree. */
  readonly first?: RegExp;
}

/** Files with questions that they answer. */
export interface AskedCorpus {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly questions: readonly AskedQuestion[];
}
