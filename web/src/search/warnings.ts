interface Warning {
  readonly code: string;
  readonly message: string;
}

/** The warnings that nobody has read yet: those of an answer are often those of the hits below it. */
export function notAmong<Entry extends Warning>(
  warnings: readonly Entry[],
  shown: readonly Warning[],
): Entry[] {
  return warnings.filter(({ message }) => !shown.some((other) => other.message === message));
}

/** Warnings that a reader has to know of, and whether the best hits stand in the order of the search alone, which is a note. */
export function sortedOut<Entry extends Warning>(
  warnings: readonly Entry[],
): { readonly serious: readonly Entry[]; readonly isFirstOrder: boolean } {
  return {
    // Vectors that are pending are counted in the summary.
    serious: warnings.filter((warning) => warning.code !== 'vectors-pending' && !isLate(warning)),
    isFirstOrder: warnings.some(isLate),
  };
}

/** A busy machine, or the first search of an engine; a reranker that fails otherwise is a warning. */
function isLate({ code, message }: Warning): boolean {
  return code === 'model-failed' && /within \d+ ms/.test(message);
}
