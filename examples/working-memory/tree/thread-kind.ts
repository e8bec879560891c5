/** Who writes: the other side, or one of the house. */
export type Writer = 'them' | 'ines' | 'rowan' | 'wren';

/** What a kind of correspondence is about; each of its `subjects` becomes one thread. */
export interface ThreadKind {
  readonly name: string;
  /** Name of a person in `people.ts`, or several to choose from. */
  readonly with: readonly string[];
  readonly subject: string;
  /** The values of `{about}`: one thread each. */
  readonly about: readonly string[];
  /** Further slots, drawn for each thread. `{sum}`, `{number}`, `{day}` and `{later}` are drawn for all kinds. */
  readonly slots: Readonly<Record<string, readonly string[]>>;
  readonly messages: readonly (readonly [Writer, ...variants: string[]])[];
  /** A question in other words, and which messages answer it, best first. */
  readonly asks: readonly [question: string, ...answers: number[]];
}
