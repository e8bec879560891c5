interface Sentence {
  readonly cited: readonly number[];
  readonly supported_by: readonly number[];
}

/** The sources that a sentence is shown with: those that it cites, else the best of those that support it. */
export function namedBy({ cited, supported_by }: Sentence): readonly number[] {
  return cited.length > 0 ? cited : supported_by.slice(0, 2);
}

/** An answer with its sources numbered, and in the order, as it names them: a reader meets 1 before 2. */
export function numberedByUse<Answer extends AnswerWithSources>(answer: Answer): Answer {
  const { sentences, sources } = answer;
  const order = [...new Set([...sentences.flatMap(namedBy), ...sources.map(({ number }) => number)])];
  const asUsed = (number: number): number => order.indexOf(number) + 1;
  return {
    ...answer,
    sentences: sentences.map((sentence) => ({
      ...sentence,
      cited: sentence.cited.map(asUsed),
      supported_by: sentence.supported_by.map(asUsed),
    })),
    sources: sources
      .map((source) => ({ ...source, number: asUsed(source.number) }))
      .sort((one, other) => one.number - other.number),
  };
}

interface AnswerWithSources {
  readonly sentences: readonly Sentence[];
  readonly sources: readonly { readonly number: number }[];
}
